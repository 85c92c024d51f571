import type { LecternError } from '../core/errors.ts';

/** One failure inside a batch that goes on (src/protocol/admin/shapes.ts). */
export interface Failure {
  subject: string;
  category: string;
  exit_code: number;
  message: string;
  retryable: boolean;
  remediation?: string;
  next?: string;
}

export function toFailure(subject: string, error: LecternError): Failure {
  return {
    subject,
    category: error.category,
    exit_code: error.exitCode,
    message: error.message,
    retryable: error.retryable,
    ...(error.remediation === undefined ? {} : { remediation: error.remediation }),
    ...(error.next === undefined ? {} : { next: error.next }),
  };
}
