/** Pages of the features around the editor: search pickers, navigation, accounts, packages and feedback. */
import { d1, type OAuthService } from '../../src/index.ts'
import type { Group } from './group.ts'

const root = '/builder/v1'
const account = '/builder-one/v1'

const pickerGroup: Group = {
  slug: 'search-pickers',
  title: 'Search pickers',
  intro:
    'Short lists for fields in which an editor picks a post, a term or a user. The members are named `id`, `label` and\n' +
    '`groupLabel` unless `keys_conversion_map` says otherwise. Posts are searched by title only, and only published ones as\n' +
    'long as `is_public` is not false.',
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
    'The documents of the page builder that were changed last, and a new draft that is ready to be edited. Only documents of\n' +
    'the builder are listed, not every post; and a type that does not exist is told before anybody is refused.',
  features: ['site-navigation'],
  profile: d1,
  async run({ ask }) {
    const path = `${root}/site-navigation`
    await ask({
      says: 'What was changed last, of what the caller may see.',
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
      says: 'Not for those who write posts only.',
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

const checklistGroup: Group = {
  slug: 'checklist',
  title: 'Checklist',
  intro:
    'Steps of a new site, shared by all administrators. A step is done because the site says so (`is_absolute_completed`, found\n' +
    'out with each read) or because somebody ticked it (`is_marked_completed`). Reading takes the place of a step in the list;\n' +
    'writing takes its name.',
  features: ['checklist'],
  profile: d1,
  async run({ ask }) {
    const path = `${root}/checklist`
    await ask({ says: 'All steps.', as: 'ada', method: 'GET', path: `${path}/steps` })
    await ask({
      says: 'Tick one.',
      as: 'ada',
      method: 'PUT',
      path: `${path}/steps/add_logo`,
      body: { is_marked_completed: true },
    })
    await ask({ says: 'What is kept.', as: 'ada', method: 'GET', path: `${path}/user-progress` })
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
    'What the page builder keeps with the user who asks: favorite widgets, and messages that were dismissed. A widget that the\n' +
    'profile does not know is passed over without a word. PATCH replaces the whole list of messages.',
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
    'What clients report of their use, and what people say about the page builder. Anybody may send feedback: it is answered\n' +
    'with HTTP 200 whatever comes of it, and `success` and `code` in the body tell. Both are bounded in number and age, the\n' +
    'oldest go first.',
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
    await ask({ says: 'The recorded ones, newest first.', as: 'ada', method: 'GET', path: `${root}/send-event` })
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
    'Plugins and themes that the host declares: nothing is downloaded, and what was not declared cannot be installed. The host\n' +
    'runs a hook for each step; when it fails, the state of before stays. The settings, promotions and news of the installed\n' +
    'theme and of the account are here too. Themes answer 403 to a visitor as well.',
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
      says: 'What is installed.',
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
      says: 'Install a theme. It is not switched to.',
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
    'Connecting the site to an account elsewhere: OAuth 2 at a server that the host names with `createConnect`. `authorize`\n' +
    'answers the address at which the user agrees; the server sends the browser back to `/connect/return`, which no client\n' +
    'calls. A site that is connected already is 403 until it is disconnected or `clearSession` is true.',
  features: ['connections', 'connection-return', 'library'],
  sources: ['connections', 'library'],
  profile: d1,
  services: { connect },
  async run({ ask, hide }) {
    const path = `${account}/connect`
    const begun = await ask({ says: 'Begin to connect.', as: 'ada', method: 'POST', path: `${path}/authorize` })
    const secret = state.exec(begun.at('data'))?.[1] ?? ''
    hide(secret, 'STATE')
    await ask({
      says: 'Where the server sends the browser. The state is good for once, and says who has begun.',
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
    'The first steps of a new site, one state for all administrators. A report changes what it names and leaves the rest; a\n' +
    'member of the wrong kind is refused with a code of its own, such as `invalid_current_step`. Times are seconds on the clock\n' +
    'of the site, not UTC.',
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
      says: 'Say something about the site.',
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
  checklistGroup,
  ownGroup,
  eventGroup,
  packageGroup,
  connectionGroup,
  onboardingGroup,
]
