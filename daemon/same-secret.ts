import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are the same, in a time that tells nothing of where or by how much they differ. */
export function isSameSecret(given: string, wanted: string): boolean {
  return timingSafeEqual(digest(given), digest(wanted));
}

/** Of one length, whatever that of the secret is. */
function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
