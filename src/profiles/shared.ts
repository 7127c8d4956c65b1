/** Features that both profiles have, with the options in which they differ. */
import { accountSettings } from '../features/account-settings.ts'
import { aiPermissions } from '../features/ai-permissions.ts'
import { batch } from '../features/batch.ts'
import { checklist } from '../features/checklist/index.ts'
import { components } from '../features/components/index.ts'
import { connectionReturn, connections } from '../features/connections/index.ts'
import { typesOfContent } from '../features/content-types/index.ts'
import { documents } from '../features/documents/index.ts'
import { elementDefaultsOf } from '../features/element-defaults.ts'
import { embeds } from '../features/embeds/index.ts'
import { events } from '../features/events/index.ts'
import { favorites } from '../features/favorites.ts'
import { feedback } from '../features/feedback.ts'
import { globals } from '../features/globals/index.ts'
import { library } from '../features/library.ts'
import { packages } from '../features/packages/index.ts'
import { pickers } from '../features/pickers/index.ts'
import { autosaves } from '../features/posts/autosaves.ts'
import { posts } from '../features/posts/index.ts'
import { revisions } from '../features/revisions/index.ts'
import { settings } from '../features/settings/index.ts'
import { siteNavigation } from '../features/site-navigation/index.ts'
import { styles } from '../features/styles/index.ts'
import { templateLibrary } from '../features/template-library/index.ts'
import { topBar } from '../features/top-bar.ts'
import { userData } from '../features/user-data.ts'
import { users } from '../features/users/index.ts'
import { bareNamespaces } from './namespaces.ts'

export interface Differences {
  /** What the id of a global color or typography may look like. */
  readonly globalIdPattern: string
  /** The widgets and elements that the page builder knows. */
  readonly widgets: readonly string[]
  /** Whether feedback about the product says from which country. */
  readonly feedbackWithCountry: boolean
  /** What a template of the library can be. */
  readonly templateTypes: readonly string[]
  /** Whether the checklist asks for a header. Where the add-on that makes headers is part of the deployment, it does not. */
  readonly checklistAsksForHeader: boolean
}

export function shared({
  globalIdPattern,
  widgets,
  feedbackWithCountry,
  templateTypes,
  checklistAsksForHeader,
}: Differences) {
  return [
    batch,
    embeds,
    posts,
    revisions,
    autosaves,
    typesOfContent,
    users,
    styles,
    globals({ idPattern: globalIdPattern }),
    settings,
    aiPermissions,
    favorites({ widgets }),
    components,
    checklist({ asksForHeader: checklistAsksForHeader }),
    templateLibrary({ types: templateTypes }),
    userData,
    elementDefaultsOf({ widgets }),
    siteNavigation,
    events,
    feedback,
    pickers,
    documents,
    library,
    connections({ namespace: 'builder-one/v1', connection: 'account' }),
    connectionReturn,
    topBar({ withCountry: feedbackWithCountry }),
    packages,
    accountSettings,
    ...bareNamespaces,
  ] as const
}
