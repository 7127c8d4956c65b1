/** Features of both profiles, with the options in which they differ. */
import { accountSettings } from '../features/account/account-settings.ts'
import { connectionReturn, connections } from '../features/account/connections/index.ts'
import { packages } from '../features/add-ons/packages/index.ts'
import { aiPermissions } from '../features/builder/ai-permissions.ts'
import { components } from '../features/builder/components/index.ts'
import { documents } from '../features/builder/documents/index.ts'
import { elementDefaultsOf } from '../features/builder/element-defaults.ts'
import { favorites } from '../features/builder/favorites.ts'
import { globals } from '../features/builder/globals/index.ts'
import { library } from '../features/builder/library.ts'
import { pickers } from '../features/builder/pickers/index.ts'
import { settings } from '../features/builder/settings/index.ts'
import { documentFeatures } from '../features/builder/site-documents/index.ts'
import { siteNavigation } from '../features/builder/site-navigation/index.ts'
import { styles } from '../features/builder/styles/index.ts'
import { templateLibrary } from '../features/builder/template-library/index.ts'
import { userData } from '../features/builder/user-data.ts'
import { checklist } from '../features/guidance/checklist/index.ts'
import { events } from '../features/guidance/events/index.ts'
import { feedback } from '../features/guidance/feedback.ts'
import { topBar } from '../features/guidance/top-bar.ts'
import { baseFeatures } from './content-features.ts'
import { bareNamespaces, unlisted } from './namespaces.ts'
import { toolFeatures } from './tools.ts'

interface Differences {
  /** The pattern that ids of global colors and typographies match. */
  readonly globalIdPattern: string
  /** The widgets and elements of the page builder. */
  readonly widgets: readonly string[]
  /** Whether feedback about the product includes the country. */
  readonly feedbackWithCountry: boolean
  /** The types of library templates. */
  readonly templateTypes: readonly string[]
  /** Whether the checklist asks for a header; not where the add-on that creates headers is included. */
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
    ...toolFeatures,
    ...baseFeatures,
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
    ...unlisted(documentFeatures),
  ] as const
}
