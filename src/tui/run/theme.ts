/** The background colour query (OSC 11). */
export const ASK_BACKGROUND = '\u001b]11;?\u001b\\';

/** The reply to it, anywhere in a read. */
const REPLY = /\u001b\]11;rgb:([0-9a-fA-F]{1,4})\/([0-9a-fA-F]{1,4})\/([0-9a-fA-F]{1,4})/;

/** Theme of a reply to the background query, or `null` when the read holds none (G-201). */
export function themeOfReply(text: string): 'dark' | 'light' | null {
  const match = REPLY.exec(text);
  if (match === null) return null;
  const channels = match
    .slice(1)
    .map((digits) => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
  return Math.max(...channels) + Math.min(...channels) < 1 ? 'dark' : 'light';
}

/** Theme by COLORFGBG: the last field is the background; dark when it says nothing (G-201). */
export function themeOfEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): 'dark' | 'light' {
  const last = (env['COLORFGBG'] ?? '').split(';').at(-1) ?? '';
  if (!/^[0-9]{1,2}$/.test(last)) return 'dark';
  const index = Number(last);
  return index === 7 || (index >= 9 && index <= 15) ? 'light' : 'dark';
}
