/** The parts of an OpenAPI 3.1 document that are generated here, as types. */

/** JSON Schema 2020-12, with the keywords in use. */
export interface JsonSchema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly exclusiveMinimum?: number | undefined
  readonly exclusiveMaximum?: number | undefined
  readonly uniqueItems?: boolean
  readonly readOnly?: boolean
  readonly items?: JsonSchema
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly oneOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
}

export interface Ref {
  readonly $ref: string
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly style?: 'form' | 'deepObject'
  readonly explode?: boolean
  readonly schema: JsonSchema
  readonly example?: unknown
}

interface Encoding {
  readonly style: 'form' | 'deepObject'
  readonly explode: boolean
}

/** A value and what it shows. */
export interface Example {
  readonly summary?: string
  readonly value: unknown
}

export interface MediaType {
  readonly schema?: JsonSchema
  readonly encoding?: { readonly [member: string]: Encoding }
  readonly examples?: { readonly [name: string]: Example }
}

export interface RequestBody {
  readonly description?: string
  readonly required?: boolean
  readonly content: { readonly [mediaType: string]: MediaType }
}

export interface Response {
  readonly description: string
  readonly headers?: { readonly [name: string]: Ref | Header }
  readonly content?: { readonly [mediaType: string]: MediaType }
}

export interface Header {
  readonly description: string
  readonly schema: JsonSchema
}

/** By status; `default` is any other. */
export interface Responses {
  readonly [status: string]: Response | Ref
}

export interface Operation {
  readonly tags: readonly string[]
  readonly operationId: string
  readonly summary?: string
  readonly description: string
  readonly parameters: readonly (Parameter | Ref)[]
  readonly requestBody?: RequestBody
  readonly responses: Responses
  readonly security: readonly { readonly [scheme: string]: readonly string[] }[]
  /** The permission in words. */
  readonly 'x-who': string
  /** Callable from a batch. */
  readonly 'x-batch'?: true
}

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete'
export type PathItem = { readonly [method in HttpMethod]?: Operation }

/** A feature. */
export interface Tag {
  readonly name: string
  /** The feature in words. */
  readonly 'x-displayName': string
}

/** An OpenAPI 3.1 document, as far as the package writes it. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    /** The profile whose type the client takes. Absent if a word map changes the names that the type has. */
    readonly 'x-profile'?: string
  }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly Tag[]
  /** Sections of tags, which several readers of OpenAPI show. */
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[]
  readonly paths: { readonly [path: string]: PathItem }
  readonly components: {
    readonly schemas: { readonly [name: string]: JsonSchema }
    readonly parameters: { readonly [name: string]: Parameter }
    readonly headers: { readonly [name: string]: Header }
    readonly responses: { readonly [name: string]: Response }
    readonly securitySchemes: { readonly [name: string]: { readonly [member: string]: string } }
  }
}
