export type { AnswerForm, Answers, MemberValues, Sometimes } from './core/answers.ts'
export * as answers from './core/answers.ts'
export type { Arg, Args, ObjectValue, RequiredArg, SchemaNode } from './core/args.ts'
export * as args from './core/args.ts'
export type { Authenticate, AuthenticationRequest } from './core/authentication.ts'
export type { CorsOptions } from './core/cors.ts'
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
} from './core/declare.ts'
export { ApiError, isApiError } from './core/errors.ts'
export type { EventName, EventPayloads } from './core/events.ts'
export type { Incoming } from './core/incoming.ts'
export type { CallArguments, CallOptions } from './core/inside.ts'
export type { Limits } from './core/limits.ts'
export type { NameMap, WordKind } from './core/names.ts'
export type { OpenApiDocument } from './core/openapi/document.ts'
export { pageOf } from './core/paging.ts'
export { digits, parameter } from './core/pattern.ts'
export { anyone, can, permission, signedIn } from './core/permissions.ts'
export type { Answer, Reply, ReplyHeaders } from './core/reply.ts'
export { reply } from './core/reply.ts'
export type { Logger, Services, Site } from './core/site.ts'
export type * from './events.ts'
export {
  type FormAction,
  type SubmissionHandlerOptions,
  submissionHandler,
} from './features/form-submissions/handler.ts'
export { type D1, d1 } from './profiles/d1.ts'
export { type D2, d2 } from './profiles/d2.ts'
export { type Connect, ConnectError, type ConnectOptions, createConnect } from './services/connect/index.ts'
export { createFeeds, type FeedKit, type FeedNotification, type FeedPromotion, type Feeds } from './services/feeds.ts'
export { createMedia, type Media } from './services/media.ts'
export { createOutbound, type Outbound } from './services/outbound/index.ts'
export { createPackages, type PackageDeclaration, type PackageHook, type Packages } from './services/packages/index.ts'
export { type RateLimit, tokenBuckets } from './services/rate-limit.ts'
export { createRender, type Render } from './services/render/index.ts'
export { type CallResult, createSiteApi, type SiteApi, type SiteApiOptions } from './site-api.ts'
export type { Collection, Eventually, Json, Post, Storage, Term, User } from './storage/contract.ts'
