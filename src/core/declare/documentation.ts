/** The groups, titles and examples that the OpenAPI document and the docs page show beside the declarations. Types only. */

/** A request that works, with its response. Path parameters, query arguments and members of the body are all in `args`. */
export interface EndpointExample<V = { readonly [name: string]: unknown }> {
  /** A sentence about what the request does. */
  readonly summary?: string
  readonly args?: Partial<V>
  /** For endpoints that take any body: the whole body. */
  readonly body?: unknown
  readonly status?: number
  readonly response?: unknown
}

/** Features that share a heading, in the order of the documentation. */
export interface FeatureGroup {
  readonly title: string
  /** The titles of the features, by feature name. */
  readonly features: { readonly [feature: string]: string }
}

export interface Documentation {
  /** Features in no group come last. Their titles are their names without hyphens. */
  readonly groups: readonly FeatureGroup[]
  /** By method and path: `GET /cms/v2/posts/{id}`. An example of the endpoint itself wins. */
  readonly examples: { readonly [route: string]: EndpointExample }
}
