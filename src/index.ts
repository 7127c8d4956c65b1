export type { Logger, Services, Site } from './core/declare/app-context.ts'
export type { Arg, Args, ObjectValue, RequiredArg, SchemaNode } from './core/declare/args.ts'
export * as args from './core/declare/args.ts'
export {
  type Call,
  type DeclaredEndpoint,
  type DeclaredFeature,
  type DeclaredProfile,
  EDITABLE,
  type Endpoint,
  endpoint,
  type Feature,
  type Following,
  feature,
  type Method,
  type Profile,
  profile,
  type SiteExtensions,
} from './core/declare/endpoint.ts'
export { ApiError, isApiError } from './core/declare/errors.ts'
export type { EventName, EventPayloads } from './core/declare/events.ts'
export type { Limits } from './core/declare/limits.ts'
export { pageOf } from './core/declare/page.ts'
export { digits, parameter } from './core/declare/pattern.ts'
export { anyone, can, permission, signedIn } from './core/declare/permissions.ts'
export type { AnswerForm, Answers, MemberValues, Sometimes } from './core/declare/response-schema.ts'
export * as answers from './core/declare/response-schema.ts'
export type { Answer, Reply, ReplyHeaders } from './core/declare/result.ts'
export { reply } from './core/declare/result.ts'
export type { OpenApiDocument } from './core/describe/openapi/document.ts'
export type { Authenticate, AuthenticationRequest } from './core/pipeline/authentication.ts'
export type { CorsOptions } from './core/pipeline/cors.ts'
export type { CallArguments, CallOptions } from './core/pipeline/in-process.ts'
export type { Incoming } from './core/request/incoming.ts'
export { type CallResult, createSiteApi, type SiteApi, type SiteApiOptions } from './create-site-api.ts'
export type * from './events.ts'
export {
  type FormAction,
  type SubmissionHandlerOptions,
  submissionHandler,
} from './features/builder/form-submissions/handler.ts'
export type { NameMap, WordKind } from './names/word-map.ts'
export { type D1, d1 } from './profiles/d1.ts'
export { type D2, d2 } from './profiles/d2.ts'
export { createRender, type Render } from './render/index.ts'
export { createFeeds, type FeedKit, type FeedNotification, type FeedPromotion, type Feeds } from './services/feeds.ts'
export { createOutbound, type Outbound } from './services/http-client/index.ts'
export { createMedia, type Media } from './services/media.ts'
export { type Connect, ConnectError, type ConnectOptions, createConnect } from './services/oauth/index.ts'
export { createPackages, type PackageDeclaration, type PackageHook, type Packages } from './services/packages/index.ts'
export { type RateLimit, tokenBuckets } from './services/rate-limit.ts'
export type { Collection, Eventually, Json, Post, Storage, Term, User } from './storage/contract.ts'
