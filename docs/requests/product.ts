/** Records the documents about the features around the editor: search pickers, navigation, accounts, packages, feedback. */
import { d1, full, type OAuthService } from '../../src/index.ts'
import type { Group } from './group.ts'

const root = '/builder/v1'
const account = '/builder-one/v1'

const pickerGroup: Group = {
  slug: 'search-pickers',
  title: 'Search pickers',
  intro:
    'Short lists for fields in which an editor selects a post, a term or a user. The members are named `id`, `label` and\n' +
    '`groupLabel`, unless `keys_conversion_map` has other names. Posts are searched by title, and only published ones\n' +
    'unless `is_public` is false.',
  features: ['pickers'],
  profile: d1,
  async run({ ask }) {
    await ask({
      says: 'Posts with a word in their title.',
      as: 'wren',
      method: 'GET',
      path: `${root}/post?term=river&included_types=post&items_count=2`,
    })
    await ask({
      says: 'Terms, with other names for the members.',
      as: 'wren',
      method: 'GET',
      path: `${root}/term?term=bread&keys_conversion_map%5Bterm_id%5D=value&keys_conversion_map%5Bname%5D=text`,
    })
    await ask({ says: 'Users.', as: 'wren', method: 'GET', path: `${root}/user?term=ada` })
    await ask({ says: 'Not for those who only read.', as: 'june', method: 'GET', path: `${root}/user?term=ada` })
  },
}

const navigationGroup: Group = {
  slug: 'site-navigation',
  title: 'Site navigation',
  intro:
    'The most recently changed documents of the page builder, and a new draft that is ready for editing. The list has\n' +
    'documents of the builder only, not all posts. An unknown type is reported before the permission is checked. A new draft is\n' +
    'read, saved and published [as a document](site-documents.md); its `edit_url` opens [on the pages](../pages.md#links-to-an-editor).',
  features: ['site-navigation'],
  profile: d1,
  async run({ ask }) {
    const path = `${root}/site-navigation`
    await ask({
      says: 'The documents that the caller can see, most recently changed first.',
      as: 'tomas',
      method: 'GET',
      path: `${path}/recent-posts?posts_per_page=2`,
    })
    await ask({
      says: 'A new page.',
      as: 'tomas',
      method: 'POST',
      path: `${path}/add-new-post`,
      body: { post_type: 'page' },
    })
    await ask({
      says: 'A user who can write posts, but not pages, gets an error.',
      as: 'wren',
      method: 'POST',
      path: `${path}/add-new-post`,
      body: { post_type: 'page' },
    })
    await ask({
      says: 'An unknown type.',
      as: null,
      method: 'POST',
      path: `${path}/add-new-post`,
      body: { post_type: 'leaflet' },
    })
  },
}

const clientGroup: Group = {
  slug: 'front-ends-of-today',
  title: 'Front ends of today',
  intro:
    'What the front ends of today ask for besides the interface that `d1` and `d2` publish; `full` has it. Each profile serves older\n' +
    'front ends and those of today at once, by what they send: `changes.order` of a save and `view` of the list of global classes,\n' +
    '`componentIds[]` in place of `componentId`. Only the list without `view` does not tell: it has the classes, and with\n' +
    '`profile({ ...full, features: withCurrentClients(full.features) })` ids and labels. Lists of pages have `user_can`.',
  features: ['current-clients'],
  profile: full,
  async run({ ask, id }) {
    const welcome = id('page.welcome')
    const navigation = `${root}/site-navigation`
    await ask({ says: 'The ID of the front page.', as: 'wren', method: 'GET', path: `${navigation}/homepage` })
    await ask({
      says: 'What the caller may do with pages.',
      as: 'wren',
      method: 'GET',
      path: `/cms/v2/pages?include=${welcome}&_fields=id,title.rendered,user_can`,
    })
    await ask({
      says: 'A copy of a page, as a draft.',
      as: 'tomas',
      method: 'POST',
      path: `${navigation}/duplicate-post`,
      body: { post_id: welcome, title: 'Welcome in autumn' },
    })
    await ask({
      says: 'Classes by their ids, one of which is not there.',
      as: 'wren',
      method: 'GET',
      path: `${root}/global-classes/styles?ids%5B%5D=g-1a2b3c4`,
    })
    await ask({
      says: 'The elements of a component that is not there.',
      as: 'wren',
      method: 'GET',
      path: `${root}/components/elements?componentId=${welcome}`,
    })
    await ask({
      says: 'A copy of nothing.',
      as: 'tomas',
      method: 'POST',
      path: `${navigation}/duplicate-post`,
      body: { post_id: 9999, title: 'Copy' },
    })
  },
}

const checklistGroup: Group = {
  slug: 'checklist',
  title: 'Checklist',
  intro:
    'Steps for a new site, shared by all administrators. A step is complete if the site meets its condition\n' +
    '(`is_absolute_completed`, computed on each read) or if a user has marked it (`is_marked_completed`). A read\n' +
    'identifies a step by its position, a write by its name.',
  features: ['checklist'],
  profile: d1,
  async run({ ask }) {
    const path = `${root}/checklist`
    await ask({ says: 'All steps.', as: 'ada', method: 'GET', path: `${path}/steps` })
    await ask({
      says: 'Mark a step as complete.',
      as: 'ada',
      method: 'PUT',
      path: `${path}/steps/add_logo`,
      body: { is_marked_completed: true },
    })
    await ask({ says: 'The stored progress.', as: 'ada', method: 'GET', path: `${path}/user-progress` })
    await ask({
      says: 'An unknown step.',
      as: 'ada',
      method: 'PUT',
      path: `${path}/steps/water_plants`,
      body: { is_marked_completed: true },
    })
  },
}

const ownGroup: Group = {
  slug: 'favorites-and-user-data',
  title: 'Favorites and user data',
  intro:
    'Data of the page builder for the current user: favorite widgets and dismissed messages. Widgets that the profile\n' +
    'does not know are ignored. PATCH replaces the whole list of messages.',
  features: ['favorites', 'user-data'],
  profile: d1,
  async run({ ask }) {
    await ask({
      says: 'Add a favorite; the response has all of them.',
      as: 'wren',
      method: 'POST',
      path: `${root}/favorites/widgets`,
      body: { favorite: 'heading' },
    })
    await ask({
      says: 'The list, with its total.',
      as: 'wren',
      method: 'GET',
      path: `${root}/favorites`,
      showsHeaders: ['X-CMS-Total'],
    })
    await ask({
      says: 'There are no favorites of another type.',
      as: 'wren',
      method: 'POST',
      path: `${root}/favorites/pages`,
      body: { favorite: 'welcome' },
    })
    await ask({
      says: 'Dismiss a message.',
      as: 'june',
      method: 'PATCH',
      path: `${root}/user-data/current-user`,
      body: { suppressedMessages: ['welcome-tour'] },
    })
  },
}

const eventGroup: Group = {
  slug: 'events-and-feedback',
  title: 'Events and feedback',
  intro:
    'Usage events of clients, and feedback about the page builder. Everyone can send feedback; the status is always 200,\n' +
    'and `success` and `code` in the body have the outcome. Both are limited in number and age; the oldest are removed\n' +
    'first.',
  features: ['events', 'feedback'],
  profile: d1,
  async run({ ask }) {
    await ask({
      says: 'Record an event.',
      as: 'ada',
      method: 'POST',
      path: `${root}/send-event`,
      body: { event_data: { name: 'panel_opened', panel: 'styles' } },
    })
    await ask({ says: 'The recorded events, newest first.', as: 'ada', method: 'GET', path: `${root}/send-event` })
    await ask({
      says: 'Feedback.',
      as: null,
      method: 'POST',
      path: `${root}/feedback/submit`,
      body: { description: 'The color picker remembers what I chose. Thank you.' },
    })
    await ask({
      says: 'Feedback without a text is 200 too.',
      as: null,
      method: 'POST',
      path: `${root}/feedback/submit`,
      body: {},
    })
  },
}

const packageGroup: Group = {
  slug: 'packages-and-themes',
  title: 'Packages and themes',
  intro:
    'Plugins and themes that the host declares. Nothing is downloaded, and other packages cannot be installed. The host\n' +
    'runs a hook for each step; if it fails, the package keeps its previous state. Settings, promotions and news of the\n' +
    'theme and of the account are here too. Theme routes answer 403, also to visitors.',
  features: [
    ...['packages', 'cross-sell', 'account-settings', 'top-bar', 'promotions', 'admin-settings', 'whats-new'],
    ...['theme-settings', 'theme-onboarding', 'install-confirmation', 'ai-permissions'],
  ],
  profile: d1,
  async run({ ask }) {
    await ask({
      says: 'Install a plugin and switch it on.',
      as: 'ada',
      method: 'POST',
      path: `${account}/plugins`,
      body: { slug: 'assistant', status: 'active' },
    })
    await ask({
      says: 'The installed plugins.',
      as: 'ada',
      method: 'GET',
      path: `${account}/plugins`,
    })
    await ask({
      says: 'The host does not offer this one.',
      as: 'ada',
      method: 'POST',
      path: `${account}/plugins`,
      body: { slug: 'site-mailer' },
    })
    await ask({
      says: 'Install a theme. It does not become active.',
      as: 'ada',
      method: 'POST',
      path: `${account}/themes`,
      body: { slug: 'builder-theme' },
    })
  },
}

const state = /[?&]state=([^&]+)/

/** An OAuth service that accepts every request. */
const connect: OAuthService = {
  isConfigured: true,
  register: async () => ({ id: 'millbrook', secrets: '' }),
  begin: async (client, _site, state) => ({
    address: `https://accounts.example.com/authorize?client_id=${client.id}&state=${state}`,
    verifier: 'verifier',
  }),
  finish: async () => ({ access: 'access', refresh: null }),
  redeem: async () => ({ access: 'access', refresh: null }),
  end: async () => undefined,
  move: async (client) => client,
}

const connectionGroup: Group = {
  slug: 'connections',
  title: 'Connections',
  intro:
    'Connects the site to an account on another server, with OAuth 2 (`createOAuth`). `authorize` returns the URL at\n' +
    'which the user approves; the server then redirects the browser to `/connect/return`, which clients do not call. A\n' +
    'connected site gets 403 until it is disconnected or `clearSession` is true.',
  features: ['connections', 'connection-return', 'library'],
  sources: ['connections', 'library'],
  profile: d1,
  services: { connect },
  async run({ ask, hide }) {
    const path = `${account}/connect`
    const begun = await ask({ says: 'Start a connection.', as: 'ada', method: 'POST', path: `${path}/authorize` })
    const secret = state.exec(begun.at('data'))?.[1] ?? ''
    hide(secret, 'STATE')
    await ask({
      says: 'The server redirects the browser here. The state is valid once, for the user who started.',
      as: null,
      method: 'GET',
      path: `/connect/return?code=CODE&state=${secret}`,
    })
    await ask({ says: 'The site is connected now.', as: 'ada', method: 'POST', path: `${path}/authorize` })
    await ask({ says: 'End the connection.', as: 'ada', method: 'POST', path: `${path}/disconnect` })
  },
}

const onboardingGroup: Group = {
  slug: 'onboarding',
  title: 'Onboarding',
  intro:
    'The first steps of a new site, with one state for all administrators. A report changes the members that it has and\n' +
    'keeps the others; a member of the wrong type gets an error with its own code, such as `invalid_current_step`. Times\n' +
    'are seconds in the time zone of the site, not in UTC.',
  features: ['onboarding'],
  profile: d1,
  async run({ ask }) {
    const path = `${root}/onboarding`
    await ask({
      says: 'Report a step.',
      as: 'ada',
      method: 'POST',
      path: `${path}/user-progress`,
      body: { start: true, complete_step: 'building_for' },
    })
    await ask({
      says: 'Store answers about the site.',
      as: 'ada',
      method: 'POST',
      path: `${path}/user-choices`,
      body: { building_for: 'myself', site_about: ['news'] },
    })
    await ask({
      says: 'A number is expected.',
      as: 'ada',
      method: 'POST',
      path: `${path}/user-progress`,
      body: { current_step: 'second' },
    })
    await ask({ says: 'Not for editors.', as: 'tomas', method: 'GET', path: `${path}/user-progress` })
  },
}

export const productGroups: readonly Group[] = [
  pickerGroup,
  navigationGroup,
  clientGroup,
  checklistGroup,
  ownGroup,
  eventGroup,
  packageGroup,
  connectionGroup,
  onboardingGroup,
]
