export type { Collection, Json, MaybePromise, Post, Storage, Term, User } from './contract/storage.ts'
export type { Actor } from './core/declare/actor.ts'
export type { AppContext, Logger } from './core/declare/app-context.ts'
export type { Arg, Args, FieldOptions, ObjectValue, RequiredArg, SchemaNode, TextArg } from './core/declare/args.ts'
/**
 * Builders for the arguments of endpoints.
 *
 * ```ts
 * import { args } from 'site-api'
 *
 * export const filter = { year: args.int({ minimum: 1900 }), ...args.paging() }
 * ```
 */
export * as args from './core/declare/args.ts'
export type { Context, HookContext } from './core/declare/context.ts'
export { type DeclaredEndpoint, EDITABLE, type Endpoint, endpoint, type Method } from './core/declare/endpoint.ts'
export { ApiError, type ErrorDetail, isApiError } from './core/declare/errors.ts'
export type { ChangePayloads, EventName, EventPayloads, RequestReport } from './core/declare/events.ts'
export { type DeclaredFeature, type Feature, feature } from './core/declare/feature.ts'
export type { Limits } from './core/declare/limits.ts'
export { pageOf } from './core/declare/page.ts'
export { digits, parameter, type Readable } from './core/declare/pattern.ts'
export { anyone, can, permission, signedIn } from './core/declare/permissions.ts'
export { type DeclaredProfile, type Profile, profile } from './core/declare/profile.ts'
export type { Incoming } from './core/declare/request.ts'
export type { LimitedRequest, RequestLimit } from './core/declare/request-limit.ts'
export type { MemberValues, ResponseSchema, Responses, Sometimes } from './core/declare/response-schema.ts'
/**
 * Builders for the responses of endpoints.
 *
 * ```ts
 * import { args, responses } from 'site-api'
 *
 * export const book = responses.fields({ id: args.int(), note: responses.sometimes(args.str()) })
 * ```
 */
export * as responses from './core/declare/response-schema.ts'
export type { ResponseData, ResponseHeaders, Result } from './core/declare/result.ts'
export { noStore, result } from './core/declare/result.ts'
export type { OpenApiDocument } from './core/describe/openapi/document.ts'
export type { Authenticate, AuthenticationRequest } from './core/pipeline/authentication.ts'
export type { CorsOptions } from './core/pipeline/cors.ts'
export type { ChangedPages } from './core/pipeline/dry-run/pages.ts'
export type { ChangedRecord, DryRunReport, OutsideCall, ReportedChange } from './core/pipeline/dry-run/report.ts'
export type { ExplainedStep, Explanation, ExplanationView } from './core/pipeline/explanation/explain.ts'
export type { CallArguments, CallOptions, ExplainOptions } from './core/pipeline/in-process.ts'
export { OptionsError } from './core/request/option-check.ts'
export type { SiteConnections } from './features/account/connections/live-token.ts'
export type {
  ExplainedRemediation,
  Remediation,
  SiteAccessibility,
} from './features/add-ons/accessibility/management.ts'
export type {
  AccessibilityChecks,
  AccessibilityEngine,
  EngineFinding,
  ScannedHtml,
} from './features/add-ons/accessibility/scan/index.ts'
export type { AccessibilityScan, ScanFinding, ScanOptions } from './features/add-ons/accessibility/scanning.ts'
export type { Hub, HubContent, HubPackage, HubPart, HubReport } from './features/add-ons/hub-connector/model.ts'
export type { Form } from './features/builder/form-submissions/intake/form.ts'
export {
  type CaptchaAnswer,
  type FormAction,
  type SubmissionHandlerOptions,
  submissionHandler,
} from './features/builder/form-submissions/intake/handler.ts'
export type { FormReceipt, SentForm, SiteForms } from './features/builder/form-submissions/intake/submit.ts'
export type { SentFile } from './features/builder/form-submissions/intake/uploads.ts'
export type { SiteSubmissions } from './features/builder/form-submissions/management.ts'
export type { FormRetention } from './features/builder/form-submissions/retention.ts'
export type { SubmittedForm } from './features/builder/form-submissions/submitted-form.ts'
export { documentFeatures } from './features/builder/site-documents/index.ts'
export type {
  SiteDocumentContent,
  SiteDocumentEntry,
  SiteDocuments,
} from './features/builder/site-documents/management.ts'
export type { SiteTemplates } from './features/builder/site-editor/management.ts'
export { kitFeatures } from './features/builder/site-kits/index.ts'
export type { SiteComments } from './features/content/comments/management.ts'
export {
  type ContentTaxonomy,
  type ContentType,
  categoryTaxonomy,
  type Support,
  type TermCapabilities,
  tagTaxonomy,
} from './features/content/content-types/model.ts'
export type { SiteUploads, UploadContent, UploadedMedium, UploadValues } from './features/content/media/management.ts'
export type { ImageSummary, SiteImages } from './features/content/media/optimization/management.ts'
export { type MetaFieldsFeature, metaFields } from './features/content/meta-fields.ts'
export { type ContentTypeOptions, contentType } from './features/content/posts/content-type.ts'
export type { SiteTerms } from './features/content/terms/management.ts'
export { type TaxonomyOptions, taxonomy } from './features/content/terms/taxonomy.ts'
export { checkFeatures } from './features/integration/checks/index.ts'
export type { AppliedPatch, SiteCheck } from './features/integration/checks/management.ts'
export type {
  Check,
  CheckedSubject,
  CheckFinding,
  CheckReport,
  FindingPlace,
  Found,
  Patch,
  PublishingOptions,
} from './features/integration/checks/model.ts'
export type { RecordDifference } from './features/integration/history/difference/index.ts'
export type { SiteHistory } from './features/integration/history/management.ts'
export type { HistoryChange } from './features/integration/history/reads.ts'
export type { HistoryRetention } from './features/integration/history/record.ts'
export type { Restored } from './features/integration/history/restore.ts'
export { mergeFeatures } from './features/integration/merging/index.ts'
export type {
  Retention as EventRetention,
  SiteEvents,
  SiteWebhooks,
  StoredEvent,
  StoredEvents,
  Webhook,
  WebhookDelivery,
  WebhookOptions,
  WebhookView,
} from './features/integration/outbox/index.ts'
export { presenceFeatures } from './features/integration/presence/index.ts'
export type { ReleaseOptions } from './features/integration/releases/access.ts'
export { releaseFeatures } from './features/integration/releases/index.ts'
export type { SiteReleases } from './features/integration/releases/management.ts'
export type { Release } from './features/integration/releases/model.ts'
export type { ReleaseConflict } from './features/integration/releases/plan.ts'
export type { NewReleasePreview } from './features/integration/releases/previews.ts'
export type { PublishedRelease } from './features/integration/releases/publish.ts'
export type { ReleasedRecord } from './features/integration/releases/read.ts'
export type { ReleaseChanges } from './features/integration/releases/review.ts'
export {
  type BrokenReference,
  type RecordUse,
  type SiteUsage,
  type Usage,
  usage,
} from './features/integration/usage/index.ts'
export type { OwnFields } from './features/shared/own-fields.ts'
export type { FieldInput, FieldMembers, MetaInput, MetaMembers } from './features/shared/post-meta.ts'
export {
  type CallResult,
  createSiteApi,
  type Health,
  type SiteApi,
} from './host/create-site-api.ts'
export type * from './host/events.ts'
export type { SiteFiles } from './host/files.ts'
export type { SiteHooks } from './host/hooks.ts'
export type { KnownProfile } from './host/known-profile.ts'
export type { RenderAt, SiteRender } from './host/render.ts'
export type { SiteServices } from './host/services.ts'
export type { SiteApiOptions } from './host/site-options.ts'
export type { SiteContent, SiteRecord, SiteRecords, SiteRecordValues } from './host/site-records.ts'
export { collectionsOf } from './host/stored-data.ts'
export type { ImportOptions } from './management/import/index.ts'
export type { ImportReport } from './management/import/report.ts'
export type { KindComparison, RestImportOptions, RestImportReport } from './management/import/rest/index.ts'
export type { SiteManagement } from './management/index.ts'
export type { SiteMedia } from './management/media.ts'
export type { SiteOptions } from './management/options.ts'
export type { SitePasswords } from './management/passwords.ts'
export type { SiteRoles } from './management/roles.ts'
export type { SiteDocument } from './management/transfer/document.ts'
export type { ExportOptions } from './management/transfer/keys.ts'
export type { SeededIds, SeedOptions } from './management/transfer/seed.ts'
export type { SiteUsers } from './management/users.ts'
export type { NameMap, Names, WordKind } from './names/word-map.ts'
export { type Content, content } from './profiles/content.ts'
export { baseFeatures, contentFeatures } from './profiles/content-features.ts'
export { withCurrentClients } from './profiles/current-clients.ts'
export { type D1, d1 } from './profiles/d1.ts'
export { type D2, d2 } from './profiles/d2.ts'
export { type Full, full } from './profiles/full.ts'
export { historyFeatures } from './profiles/history.ts'
export { toolFeatures } from './profiles/tools.ts'
export type { RenderOptions } from './render/builder/pass/host.ts'
export type {
  OverlayLocation,
  RenderContext,
  Rendered,
  RenderedOverlay,
  RenderLocation,
  TemplateContext,
} from './render/builder/pass/render-context.ts'
export { createRender, type Render } from './render/index.ts'
export { createFeeds, type FeedKit, type FeedNotification, type FeedPromotion, type Feeds } from './services/feeds.ts'
export { createHttpClient, type HttpClient } from './services/http-client/index.ts'
export { createIcons } from './services/icons/index.ts'
export type { CreateIcons, IconSet } from './services/icons/types.ts'
export { type CreateImages, createImages, type Images } from './services/images.ts'
export type { Mail, MailAttachment, MailMessage } from './services/mail.ts'
export { type CreateMedia, createMedia, type Media } from './services/media.ts'
export { type FileSource, type MediaDriver, memoryMedia, type StoredFile } from './services/media-driver.ts'
export { createOAuth, OAuthError, type OAuthOptions, type OAuthService } from './services/oauth/index.ts'
export type { PackageDeclaration, PackageHook } from './services/packages/declaration.ts'
export { createPackages, type Packages } from './services/packages/index.ts'
export { networkOf, type RateLimit, tokenBuckets } from './services/rate-limit.ts'
export type { CatalogueTemplate, TemplateFile, Templates } from './services/templates.ts'
export { createVisitors, type Visitors } from './services/visitors.ts'
export type { Comment } from './site/comments/comment.ts'
export type { DocumentLinks } from './site/document-links.ts'
export { checkForm, type EnteredForm, type FieldSchema, type FormSchema, type FormValue } from './site/form-schema.ts'
export type { IconName, Icons } from './site/icons.ts'
export type { Settings } from './site/settings.ts'
