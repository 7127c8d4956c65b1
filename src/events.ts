/**
 * The events of all features, by name and payload. Named here because a bundle of types keeps only what somebody names:
 * inside, features merge theirs into `EventPayloads`.
 */
import type { PasswordEvents } from './core/application-passwords.ts'
import type { AccessibilityEvents } from './features/accessibility/model.ts'
import type { AccountSettingsEvents } from './features/account-settings.ts'
import type { ChecklistEvents } from './features/checklist/index.ts'
import type { ComponentsLocksEvents } from './features/components/locks.ts'
import type { ComponentsEvents } from './features/components/write.ts'
import type { ConnectionsEvents } from './features/connections/model.ts'
import type { ElementDefaultsEvents } from './features/element-defaults.ts'
import type { FeedbackEvents } from './features/feedback.ts'
import type { FormSubmissionsEvents } from './features/form-submissions/model.ts'
import type { GlobalClassesEvents } from './features/global-classes/index.ts'
import type { GlobalsEvents } from './features/globals/index.ts'
import type { HubConnectorEvents } from './features/hub-connector.ts'
import type { NotesEvents } from './features/notes/model.ts'
import type { OnboardingEvents } from './features/onboarding/index.ts'
import type { OptInEvents } from './features/opt-in.ts'
import type { PackagesEvents } from './features/packages/model.ts'
import type { PostsAutosavesEvents } from './features/posts/autosaves.ts'
import type { PostsEvents } from './features/posts/write.ts'
import type { SettingsEvents } from './features/settings/index.ts'
import type { SiteEditorEvents } from './features/site-editor/model.ts'
import type { StylesEvents } from './features/styles/index.ts'
import type { TemplateLibraryEvents } from './features/template-library/model.ts'
import type { ThemeSettingsEvents } from './features/theme-settings.ts'
import type { TopBarEvents } from './features/top-bar.ts'
import type { VariablesEvents } from './features/variables/index.ts'
import type { SiteImportEvents } from './site/import/index.ts'
import type { SiteMediaEvents } from './site/media.ts'
import type { SiteTermsEvents } from './site/terms.ts'
import type { SiteUsersEvents } from './site/users.ts'

export interface FeatureEvents
  extends AccessibilityEvents,
    AccountSettingsEvents,
    ChecklistEvents,
    ComponentsLocksEvents,
    ComponentsEvents,
    ConnectionsEvents,
    ElementDefaultsEvents,
    FeedbackEvents,
    FormSubmissionsEvents,
    GlobalClassesEvents,
    GlobalsEvents,
    HubConnectorEvents,
    NotesEvents,
    OnboardingEvents,
    OptInEvents,
    PackagesEvents,
    PasswordEvents,
    PostsAutosavesEvents,
    PostsEvents,
    SettingsEvents,
    SiteEditorEvents,
    StylesEvents,
    TemplateLibraryEvents,
    ThemeSettingsEvents,
    TopBarEvents,
    VariablesEvents,
    SiteImportEvents,
    SiteMediaEvents,
    SiteTermsEvents,
    SiteUsersEvents {}

export type {
  AccessibilityEvents,
  AccountSettingsEvents,
  ChecklistEvents,
  ComponentsEvents,
  ComponentsLocksEvents,
  ConnectionsEvents,
  ElementDefaultsEvents,
  FeedbackEvents,
  FormSubmissionsEvents,
  GlobalClassesEvents,
  GlobalsEvents,
  HubConnectorEvents,
  NotesEvents,
  OnboardingEvents,
  OptInEvents,
  PackagesEvents,
  PasswordEvents,
  PostsAutosavesEvents,
  PostsEvents,
  SettingsEvents,
  SiteEditorEvents,
  SiteImportEvents,
  SiteMediaEvents,
  SiteTermsEvents,
  SiteUsersEvents,
  StylesEvents,
  TemplateLibraryEvents,
  ThemeSettingsEvents,
  TopBarEvents,
  VariablesEvents,
}
