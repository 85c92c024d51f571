/** Of a message, its parameters and the client's description of itself: what the recorded answer is known for. */
const MESSAGE = new Set(['jsonrpc', 'id', 'method', 'params']);
const PARAMS = new Set(['protocolVersion', 'capabilities', 'clientInfo']);
const TEXTS = ['name', 'version', 'title', 'websiteUrl', 'description'];

/** Capabilities below which a client may put what it likes. */
const FREE = new Set(['experimental', 'extensions']);
/** Members of capabilities that are no objects. */
const SWITCHES = new Set(['listChanged', 'applyDefaults']);
/** `tasks.requests.sampling.createMessage` is the deepest that MCP knows. */
const DEEPEST = 4;

/**
 * Whether an `initialize` is as the schema of MCP wants it (revision 2025-11-25,
 * InitializeRequest) and without anything beside: any other may be refused, and
 * by what words only a daemon can tell.
 */
export function isPlainInitialize(text: Uint8Array): boolean {
  const message = asObject(JSON.parse(Buffer.from(text).toString('utf8')));
  if (message?.['jsonrpc'] !== '2.0' || !hasOnly(message, MESSAGE)) return false;
  const params = asObject(message['params']);
  if (params === undefined || !hasOnly(params, PARAMS)) return false;
  return (
    typeof params['protocolVersion'] === 'string' &&
    isClientInfo(asObject(params['clientInfo'])) &&
    isCapabilities(params['capabilities'])
  );
}

function isClientInfo(info: Record<string, unknown> | undefined): boolean {
  return (
    typeof info?.['name'] === 'string' &&
    typeof info['version'] === 'string' &&
    !Object.hasOwn(info, 'icons') &&
    TEXTS.every((name) => info[name] === undefined || typeof info[name] === 'string')
  );
}

function isCapabilities(value: unknown): boolean {
  const capabilities = asObject(value);
  return (
    capabilities !== undefined &&
    Object.entries(capabilities).every(([name, given]) =>
      FREE.has(name) ? isObjectOf(given, isObject) : isTree(given, DEEPEST),
    )
  );
}

/** Objects of objects, `depth` deep at most, and switches between them. */
function isTree(value: unknown, depth: number): boolean {
  return (
    depth > 0 &&
    isObjectOf(value, (inner, name) =>
      SWITCHES.has(name) ? typeof inner === 'boolean' : isTree(inner, depth - 1),
    )
  );
}

function isObjectOf(value: unknown, isGood: (inner: unknown, name: string) => boolean): boolean {
  const object = asObject(value);
  return (
    object !== undefined && Object.entries(object).every(([name, inner]) => isGood(inner, name))
  );
}

function isObject(value: unknown): boolean {
  return asObject(value) !== undefined;
}

function hasOnly(object: object, names: ReadonlySet<string>): boolean {
  return Object.keys(object).every((name) => names.has(name));
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
