import { isIPv4 } from 'node:net';

/** Where to listen, in the form that `net.Server.listen` takes. */
export interface ListenAddress {
  host: string;
  /** 0 lets the system choose. */
  port: number;
}

/**
 * Read `HOST:PORT` where HOST is a loopback address: 127.0.0.0/8, `[::1]` or
 * `localhost`. Everything else would offer the library to the network.
 *
 * @returns the address, or the reason why it is none
 */
export function readListenAddress(text: string): ListenAddress | { fault: string } {
  const parts = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(text.trim());
  const port = Number(parts?.[2]);
  if (parts === null || port > 65_535) {
    return { fault: `"${text}" is no HOST:PORT, such as 127.0.0.1:7421` };
  }
  const name = parts[1]!.toLowerCase();
  if (!isLoopbackName(name)) {
    return {
      fault: `"${text}" is no loopback address; lectern listens on 127.0.0.1, [::1] or localhost only`,
    };
  }
  // Resolved here and not by the system: its hosts file may say anything.
  return { host: name === 'localhost' ? '127.0.0.1' : name.replace(/^\[|\]$/g, ''), port };
}

/** Whether a host name as URLs and Host headers write it, without a port, means this machine only. */
export function isLoopbackName(name: string): boolean {
  const lower = name.toLowerCase();
  return lower === 'localhost' || lower === '[::1]' || (isIPv4(lower) && lower.startsWith('127.'));
}
