/**
 * The events of all features, by name and payload: each is declared once, beside the code that emits it, and listed once
 * here. `context.emit` is typed by this list. The bundled types keep only the names of this list.
 */
import type { PasswordEvents } from '../core/pipeline/application-passwords.ts'
import type { AccountSettingsEvents } from '../features/account/account-settings.ts'
import type { ConnectionsEvents } from '../features/account/connections/model.ts'
import type { AccessibilityEvents } from '../features/add-ons/accessibility/model.ts'
import type { HubConnectorEvents } from '../features/add-ons/hub-connector/index.ts'
import type { PackagesEvents } from '../features/add-ons/packages/model.ts'
import type { ComponentsLocksEvents } from '../features/builder/components/locks.ts'
import type { ComponentsEvents } from '../features/builder/components/write.ts'
import type { ElementDefaultsEvents } from '../features/builder/element-defaults.ts'
import type { FormSubmissionsEvents } from '../features/builder/form-submissions/model.ts'
import type { FormSubmissionsChanges } from '../features/builder/form-submissions/write.ts'
import type { GlobalClassesEvents } from '../features/builder/global-classes/index.ts'
import type { GlobalsEvents } from '../features/builder/globals/index.ts'
import type { NotesEvents } from '../features/builder/notes/model.ts'
import type { OptInEvents } from '../features/builder/opt-in.ts'
import type { SettingsEvents } from '../features/builder/settings/index.ts'
import type { EditLocksEvents } from '../features/builder/site-documents/edit-locks.ts'
import type { SiteEditorEvents } from '../features/builder/site-editor/model.ts'
import type { StylesEvents } from '../features/builder/styles/index.ts'
import type { TemplateLibraryEvents } from '../features/builder/template-library/model.ts'
import type { VariablesEvents } from '../features/builder/variables/index.ts'
import type { CommentsChanges, CommentsEvents } from '../features/content/comments/model.ts'
import type { MediaEvents } from '../features/content/media/write.ts'
import type { PostsAutosavesEvents } from '../features/content/posts/autosaves.ts'
import type { PostsChanges } from '../features/content/posts/model.ts'
import type { PostsEvents } from '../features/content/posts/write.ts'
import type { TermsEvents } from '../features/content/terms/model.ts'
import type { ChecklistEvents } from '../features/guidance/checklist/index.ts'
import type { UsageEvents } from '../features/guidance/events/model.ts'
import type { FeedbackEvents } from '../features/guidance/feedback.ts'
import type { OnboardingEvents } from '../features/guidance/onboarding/index.ts'
import type { TopBarEvents } from '../features/guidance/top-bar.ts'
import type { HistoryEvents } from '../features/integration/history/restore.ts'
import type { ReleaseEvents } from '../features/integration/releases/publish.ts'
import type { SearchTextEvents } from '../features/shared/search-text.ts'
import type { ThemeSettingsEvents } from '../features/theme/theme-settings.ts'
import type { SiteImportEvents } from '../management/import/index.ts'
import type { SiteMediaEvents } from '../management/media.ts'
import type { SiteUsersEvents } from '../management/users.ts'

/** The events of all features, with their payloads. */
interface FeatureEvents
  extends AccessibilityEvents,
    AccountSettingsEvents,
    ChecklistEvents,
    CommentsEvents,
    ComponentsLocksEvents,
    EditLocksEvents,
    ComponentsEvents,
    ConnectionsEvents,
    ElementDefaultsEvents,
    FeedbackEvents,
    FormSubmissionsEvents,
    GlobalClassesEvents,
    GlobalsEvents,
    HistoryEvents,
    HubConnectorEvents,
    MediaEvents,
    NotesEvents,
    OnboardingEvents,
    OptInEvents,
    PackagesEvents,
    PasswordEvents,
    SearchTextEvents,
    PostsAutosavesEvents,
    PostsEvents,
    ReleaseEvents,
    SettingsEvents,
    SiteEditorEvents,
    StylesEvents,
    TemplateLibraryEvents,
    ThemeSettingsEvents,
    TopBarEvents,
    UsageEvents,
    VariablesEvents,
    SiteImportEvents,
    SiteMediaEvents,
    TermsEvents,
    SiteUsersEvents {}

/** The changes that hooks see before they are written. */
export interface FeatureChanges extends PostsChanges, CommentsChanges, FormSubmissionsChanges {}

declare module '../core/declare/events.ts' {
  interface EventPayloads extends FeatureEvents {}
  interface ChangePayloads extends FeatureChanges {}
}

export type {
  AccessibilityEvents,
  AccountSettingsEvents,
  ChecklistEvents,
  CommentsChanges,
  CommentsEvents,
  ComponentsEvents,
  ComponentsLocksEvents,
  ConnectionsEvents,
  EditLocksEvents,
  ElementDefaultsEvents,
  FeedbackEvents,
  FormSubmissionsChanges,
  FormSubmissionsEvents,
  GlobalClassesEvents,
  GlobalsEvents,
  HistoryEvents,
  HubConnectorEvents,
  MediaEvents,
  NotesEvents,
  OnboardingEvents,
  OptInEvents,
  PackagesEvents,
  PasswordEvents,
  PostsAutosavesEvents,
  PostsChanges,
  PostsEvents,
  ReleaseEvents,
  SearchTextEvents,
  SettingsEvents,
  SiteEditorEvents,
  SiteImportEvents,
  SiteMediaEvents,
  SiteUsersEvents,
  StylesEvents,
  TemplateLibraryEvents,
  TermsEvents,
  ThemeSettingsEvents,
  TopBarEvents,
  UsageEvents,
  VariablesEvents,
}
