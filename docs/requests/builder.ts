/** Pages of the page builder: documents, components, global styles and variables. */
import { d1 } from '../../src/index.ts'
import type { Group } from './group.ts'

const root = '/builder/v1'

const globalGroup: Group = {
  slug: 'globals',
  title: 'Globals',
  intro:
    'Colors and typography of the whole site: four system items of each kind that always exist, and custom ones. POST to an id\n' +
    'adds a custom item or replaces it; one with the id of a system item replaces it, and DELETE brings the system item\n' +
    'back. System items themselves are never removed.',
  features: ['globals'],
  profile: d1,
  async run({ ask }) {
    const one = `${root}/globals/colors/river`
    await ask({
      says: 'A color of our own.',
      as: 'ada',
      method: 'POST',
      path: one,
      body: { title: 'River', value: '#2F6F8F' },
    })
    await ask({ says: 'All colors, by id.', as: 'wren', method: 'GET', path: `${root}/globals/colors` })
    await ask({ says: 'DELETE returns the removed item.', as: 'ada', method: 'DELETE', path: one })
    await ask({
      says: 'A system item is no custom one.',
      as: 'ada',
      method: 'DELETE',
      path: `${root}/globals/colors/primary`,
    })
  },
}

const variableGroup: Group = {
  slug: 'variables',
  title: 'Variables',
  intro:
    'Named colors, fonts and sizes that classes and elements refer to. Each write raises the watermark by one; a batch names\n' +
    'the watermark that the client knows and is refused when somebody else has written since. A deleted variable keeps its id and can be restored,\n' +
    'as long as no active one has taken its label.',
  features: ['variables'],
  profile: d1,
  async run({ ask, hide }) {
    const made = await ask({
      says: 'A color.',
      as: 'ada',
      method: 'POST',
      path: `${root}/variables/create`,
      body: { type: 'global-color-variable', label: 'river', value: '#2F6F8F' },
    })
    hide(made.at('data', 'variable', 'id'), 'VARIABLE_ID')
    await ask({
      says: 'Labels of active variables are unique.',
      as: 'ada',
      method: 'POST',
      path: `${root}/variables/create`,
      body: { type: 'global-color-variable', label: 'river', value: '#000000' },
    })
    await ask({
      says: 'Several changes, all or none, on top of the watermark that the client knows.',
      as: 'ada',
      method: 'POST',
      path: `${root}/variables/batch`,
      body: {
        watermark: Number(made.at('data', 'watermark')),
        operations: [{ type: 'update', id: made.at('data', 'variable', 'id'), variable: { value: '#1F5F7F' } }],
      },
    })
    await ask({ says: 'All variables.', as: 'wren', method: 'GET', path: `${root}/variables/list` })
  },
  async more({ ask, hide }) {
    const made = await ask({
      says: 'A size.',
      as: 'ada',
      method: 'POST',
      path: `${root}/variables/create`,
      body: { type: 'global-size-variable', label: 'gap', value: '12px' },
    })
    const [id, path] = [made.at('data', 'variable', 'id'), `${root}/variables`]
    hide(id, 'VARIABLE_ID')
    const body = { id, label: 'gap', value: '16px' }
    await ask({ says: 'The size changes.', as: 'ada', method: 'PUT', path: `${path}/update`, body })
    await ask({ says: 'A variable is deleted.', as: 'ada', method: 'POST', path: `${path}/delete`, body: { id } })
    await ask({ says: 'It is restored.', as: 'ada', method: 'POST', path: `${path}/restore`, body: { id } })
  },
}

const classGroup: Group = {
  slug: 'global-classes',
  title: 'Global classes',
  intro:
    'Styles with a name that elements of many documents use. One PUT says which classes are added, modified and deleted, holds\n' +
    'the classes, and gives the order of all of them; it succeeds as a whole or not at all, and answers 204. A label that\n' +
    'is taken is changed, and then the answer is 200 and says to what. `context=preview` works on a copy that visitors do not see.',
  features: ['global-classes'],
  profile: d1,
  async run({ ask }) {
    const path = `${root}/global-classes`
    const card = (id: string, label: string) => ({
      ...{ id, type: 'class', label },
      variants: [
        {
          meta: { breakpoint: 'desktop', state: null },
          props: { 'text-align': { $$type: 'string', value: 'center' } },
          custom_css: null,
        },
      ],
    })
    const adding = (id: string, label: string, order: readonly string[]) => ({
      changes: { added: [id], modified: [], deleted: [] },
      items: { [id]: card(id, label) },
      order,
    })
    await ask({
      says: 'A new class.',
      as: 'ada',
      method: 'PUT',
      path,
      body: adding('g-1a2b3c4', 'card', ['g-1a2b3c4']),
    })
    await ask({ says: 'All classes, and their order.', as: 'wren', method: 'GET', path })
    await ask({
      says: 'Writing asks for a capability that administrators have.',
      as: 'tomas',
      method: 'PUT',
      path,
      body: adding('g-5d6e7f8', 'note', ['g-1a2b3c4', 'g-5d6e7f8']),
    })
  },
}

const componentGroup: Group = {
  slug: 'components',
  title: 'Components',
  intro:
    'Parts that are made once and used in many documents. They are created several at a time, all or none; the client names\n' +
    'each by a `uid` and gets the ids by it. Elements must be of the new generation (`e-...`), no component may contain itself,\n' +
    'titles are unique among those in use, and archiving has no way back.',
  features: ['components'],
  profile: d1,
  async run({ ask }) {
    const path = `${root}/components`
    const card = {
      uid: 'card-of-the-week',
      title: 'Card of the week',
      elements: [
        {
          ...{ id: '9f8e7d6', elType: 'e-div-block', settings: {} },
          elements: [{ id: '1a2b3c4', elType: 'widget', widgetType: 'e-heading', settings: {}, elements: [] }],
        },
      ],
    }
    const made = await ask({
      says: 'A component.',
      as: 'ada',
      method: 'POST',
      path,
      body: { status: 'publish', items: [card] },
    })
    await ask({ says: 'All components, for a user who writes posts.', as: 'wren', method: 'GET', path })
    await ask({
      says: 'The same title and uid again.',
      as: 'ada',
      method: 'POST',
      path: `${path}/create-validate`,
      body: { items: [{ ...card, elements: [] }] },
    })
    await ask({
      says: 'Whoever edits a component locks it for an hour.',
      as: 'ada',
      method: 'POST',
      path: `${path}/lock`,
      body: { componentId: Number(made.at('data', card.uid)) },
    })
  },
}

const documentGroup: Group = {
  slug: 'documents-and-media',
  title: 'Documents and media',
  intro:
    'A document of the page builder is a post or page whose elements stand in `meta._builder_data`, a JSON text. These routes\n' +
    'bring the pictures that a document shows from other sites into the library, and drop what was made of the styles.\n' +
    'All pictures are fetched before anything is written: when one of them fails, the document stays as it was.',
  features: ['documents', 'styles', 'design-system', 'opt-in'],
  profile: d1,
  async run({ ask, id }) {
    const elements = [
      {
        ...{ id: 'a1b2c3d', elType: 'widget', widgetType: 'image', elements: [] },
        settings: { image: { url: 'https://pictures.example/pier.gif', id: '' } },
      },
    ]
    const post = `/cms/v2/posts/${id('post.swifts')}`
    await ask({
      says: 'A document that shows a picture of another site.',
      as: 'ada',
      method: 'PATCH',
      path: `${post}?context=edit&_fields=id,meta._builder_data`,
      body: { meta: { _builder_edit_mode: 'builder', _builder_data: JSON.stringify(elements) } },
    })
    await ask({
      says: 'The picture becomes a medium of the site.',
      as: 'ada',
      method: 'POST',
      path: `${root}/documents/${id('post.swifts')}/media/import`,
    })
    await ask({
      says: 'A document that is not there.',
      as: 'ada',
      method: 'POST',
      path: `${root}/documents/999/media/import`,
    })
    await ask({
      says: 'Drop all style files; they are made again.',
      as: 'ada',
      method: 'DELETE',
      path: `${root}/cache`,
    })
  },
}

const settingGroup: Group = {
  slug: 'settings-and-element-defaults',
  title: 'Settings and element defaults',
  intro:
    'Settings of the page builder by key, and the values that new elements of a type begin with. A key begins with `builder`:\n' +
    "the site's own options are out of reach. A setting that was never written reads as `false`, not as 404. Writing the\n" +
    'defaults of a type replaces all of them.',
  features: ['settings', 'element-defaults'],
  profile: d1,
  async run({ ask }) {
    const setting = `${root}/settings/builder_page_title_selector`
    await ask({ says: 'Write a setting.', as: 'ada', method: 'POST', path: setting, body: { value: 'h1.title' } })
    await ask({ says: 'Read it.', as: 'ada', method: 'GET', path: setting })
    await ask({
      says: 'Any other key is an error.',
      as: 'ada',
      method: 'GET',
      path: `${root}/settings/siteurl`,
    })
    await ask({
      says: 'Headings get the second level by default. The response is an empty object.',
      as: 'ada',
      method: 'PUT',
      path: `${root}/kit-elements-defaults/heading`,
      body: { settings: { header_size: 'h2' } },
    })
    await ask({ says: 'All defaults.', as: 'wren', method: 'GET', path: `${root}/kit-elements-defaults` })
  },
}

const templateGroup: Group = {
  slug: 'template-library',
  title: 'Template library',
  intro:
    'Documents that are kept to be used again. Which types there are is a matter of the profile. Elements get new ids when a\n' +
    'template is saved, and the template of somebody who may not publish waits as `pending`. There is no remote catalogue:\n' +
    'sources other than `local` are empty.',
  features: ['template-library'],
  profile: d1,
  async run({ ask }) {
    const path = `${root}/template-library/templates`
    const content = [{ id: '1a2b3c4', elType: 'container', settings: {}, elements: [] }]
    await ask({
      says: 'Save a template.',
      as: 'tomas',
      method: 'POST',
      path,
      body: { title: 'Front matter', type: 'container', content: { ...content } },
    })
    await ask({ says: 'All templates, newest first.', as: 'wren', method: 'GET', path })
    await ask({
      says: 'A type that the profile does not have.',
      as: 'tomas',
      method: 'POST',
      path,
      body: { title: 'Poster', type: 'poster' },
    })
  },
}

export const builderGroups: readonly Group[] = [
  globalGroup,
  variableGroup,
  classGroup,
  componentGroup,
  documentGroup,
  settingGroup,
  templateGroup,
]
