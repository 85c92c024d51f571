import {
  type ErrorCategory,
  errorTable,
  INTERNAL_ERROR,
  LecternError,
  toRpcError,
} from '../core/errors.ts';

/** Data of an admin error: enough to raise the same error at the other end. */
interface AdminErrorData extends Record<string, unknown> {
  code: string;
  category: ErrorCategory;
  retryable: boolean;
  remediation?: string;
  next?: string;
}

/** A LecternError as a json-rpc-2.0 error. */
export function packError(error: LecternError): {
  code: number;
  message: string;
  data: AdminErrorData;
} {
  const { code, message } = toRpcError(error);
  return {
    code,
    message,
    data: {
      ...error.details.extras,
      code: error.details.code ?? error.category,
      category: error.category,
      retryable: error.retryable,
      ...(error.remediation === undefined ? {} : { remediation: error.remediation }),
      ...(error.details.next === undefined ? {} : { next: error.details.next }),
    },
  };
}

/** The LecternError that a json-rpc-2.0 error stands for; unknown ones become `internal`. */
export function unpackError(error: {
  code?: number;
  message: string;
  data?: unknown;
}): LecternError {
  const data = error.data as Partial<AdminErrorData> | undefined;
  if (data?.category === undefined || !Object.hasOwn(errorTable, data.category)) {
    return new LecternError('internal', error.message, { rpc: error.code ?? INTERNAL_ERROR });
  }
  const {
    code,
    category,
    retryable: _retryable,
    remediation: _remediation,
    next,
    ...extras
  } = data;
  return new LecternError(category, error.message, {
    ...(code === undefined || code === category ? {} : { code }),
    ...(error.code === undefined ? {} : { rpc: error.code }),
    ...(next === undefined ? {} : { next }),
    ...(Object.keys(extras).length === 0 ? {} : { extras }),
  });
}
