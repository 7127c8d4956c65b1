/** The service of connections, and what its parts share. */

import type { HttpClientOptions } from '../http-client/index.ts'
import type { Encryption } from './encryption.ts'
import type { OAuthError } from './error.ts'
import type { ServerAccess } from './server.ts'

/** Connects the site with an account elsewhere, by OAuth 2 with PKCE. */
export interface OAuthService {
  /** False if the host configured no server: every call rejects. */
  readonly isConfigured: boolean
  /** All methods reject with an OAuthError. */
  register(site: ConnectedSite): Promise<OAuthClient>
  /** Returns the authorization URL for the user, and the PKCE verifier for `finish`. */
  begin(client: OAuthClient, site: ConnectedSite, state: string): Promise<{ address: string; verifier: string }>
  /** `answer.issuer` is the `iss` parameter of the authorization response, if it has one. */
  finish(
    client: OAuthClient,
    site: ConnectedSite,
    answer: { readonly code: string; readonly verifier: string; readonly issuer: string | undefined },
  ): Promise<OAuthTokens>
  /** Exchanges a token that the user obtained elsewhere (RFC 8693). */
  redeem(client: OAuthClient, token: string): Promise<OAuthTokens>
  /** Revokes the tokens. */
  end(client: OAuthClient, tokens: Partial<OAuthTokens>): Promise<void>
  /** Updates the registration after the URL of the site changed. */
  move(client: OAuthClient, site: ConnectedSite): Promise<OAuthClient>
  /** False if what it returns is to be stored in clear. Default: true. */
  readonly isEncrypted?: boolean
  /** Exchanges a refresh token for new tokens. If it is absent, connections end with their access token. */
  refresh?(client: OAuthClient, refresh: string): Promise<OAuthTokens>
  /** A stored token in clear, for the requests of the host. Rejects with an OAuthError. */
  reveal?(stored: string): Promise<string>
  /** A stored secret or token in the newest encryption; undefined if it has that already, or can not be read. */
  renew?(stored: string): Promise<string | undefined>
}

export interface ConnectedSite {
  readonly name: string
  readonly home: string
  /** The redirect URI of the authorization. */
  readonly redirectUri: string
}

/** The client registration of the site. */
export interface OAuthClient {
  readonly id: string
  /** Encrypted; opaque to callers. */
  readonly secrets: string
}

/** Encrypted; opaque to callers. */
export interface OAuthTokens {
  readonly access: string
  readonly refresh: string | null
  /** Seconds; undefined: the server does not say. */
  readonly expiresIn?: number
}

/** The options of `createOAuth`. Without an issuer connections are off. */
export interface OAuthOptions {
  /** The authorization server, such as `https://accounts.example.com`. Default: connections are off. */
  readonly issuer?: string
  /** The URL of the server's metadata. Default: `/.well-known/openid-configuration` below the issuer. */
  readonly metadata?: string
  /** The client registration. Default: the site registers itself (RFC 7591). */
  readonly client?: { readonly id: string; readonly secret?: string }
  /** The scope of the authorization request. Default: `openid`. */
  readonly scope?: string
  /**
   * Encrypts tokens and client secrets before they are stored (AES-256-GCM): a long random text. Of a list the first encrypts and
   * all decrypt; a value that an older secret has encrypted, or none, is encrypted anew at its next use. Default: the values are
   * stored in clear, and the log says so.
   */
  readonly secret?: string | readonly string[]
  /** Allows an address that is not public: a server in the host's own network or in a test. Default: public addresses only. */
  readonly allow?: HttpClientOptions['allow']
}

/** It holds the values that the client would otherwise share with the files that load at once. */
export interface OAuthContext {
  readonly issuer: string
  readonly metadata: string
  readonly server: ServerAccess
  /** URLs with http are accepted too. */
  readonly mayBeHttp: boolean
  readonly isAddress: (text: string) => boolean
  readonly refusal: (why: string) => OAuthError
  readonly scope: string
  readonly configuredClient: OAuthOptions['client'] | undefined
  readonly encryption: Encryption
}
