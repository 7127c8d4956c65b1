/** Types of the parts of oidc-provider that tests use; the package has none. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface Interaction {
    readonly prompt: { readonly name: string; readonly details: { readonly missingOIDCScope?: readonly string[] } }
    readonly params: { readonly client_id: string }
    readonly session: { readonly accountId: string }
  }

  export interface GrantContext {
    readonly oidc: {
      readonly client: object
      readonly params: { readonly subject_token?: string }
    }
    body: unknown
  }

  export const errors: { readonly InvalidGrant: new (message: string) => Error }

  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    registerGrantType(
      name: string,
      handler: (context: GrantContext) => Promise<void>,
      parameters: readonly string[],
    ): void
    on(name: string, listener: (context: unknown, error: Error) => void): void
    readonly Grant: new (
      values: object,
    ) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    readonly AccessToken: new (
      values: object,
    ) => { save(): Promise<string>; scope: string }
    readonly Client: { find(id: string): Promise<{ readonly redirectUris: readonly string[] } | undefined> }
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  const adapter: new (name: string) => object
  export default adapter
}
