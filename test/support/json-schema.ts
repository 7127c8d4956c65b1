/** Compiles a JSON Schema 2020-12, with a dependency of the OpenAPI validator. */
import { createRequire } from 'node:module'

interface SchemaCheck {
  (value: unknown): boolean
  readonly errors?: unknown
}

interface SchemaCompiler {
  addSchema(schema: object, key: string): void
  compile(schema: object): SchemaCheck
  errorsText(errors: unknown): string
}

export function createSchemaCompiler(): SchemaCompiler {
  const from = createRequire(import.meta.resolve('@seriousme/openapi-schema-validator'))
  const { Ajv2020 } = from('ajv/dist/2020.js') as { Ajv2020: new (options: object) => SchemaCompiler }
  // Schemas refer to the whole OpenAPI document, which is no schema and has unknown keywords.
  return new Ajv2020({ strict: false, validateSchema: false, validateFormats: false })
}
