import { z } from 'zod';
import { LIBRARY_TOOLS } from './tools.ts';

/** The items of `tools/list`, converted once: sessions share them. */
export const TOOL_ITEMS = LIBRARY_TOOLS.map((tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: toJsonSchema(tool.input, 'input'),
  outputSchema: toJsonSchema(tool.output, 'output'),
  annotations: {
    title: tool.title,
    readOnlyHint: tool.readOnly,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
}));

interface JsonSchema {
  type: 'object';
  [key: string]: unknown;
}

/**
 * Flat JSON Schema: null is accepted but not advertised, because some hosts
 * take no unions and none needs to send null for what it may leave out.
 */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      const branches = jsonSchema.anyOf;
      if (branches === undefined) return;
      const [only, ...more] = branches.filter((it) => (it as { type?: unknown }).type !== 'null');
      if (only === undefined || more.length > 0 || branches.length === 1) return;
      delete jsonSchema.anyOf;
      Object.assign(jsonSchema, only);
    },
  });
  return converted as JsonSchema;
}
