/** Records the documents about the page builder: documents, components, global styles and variables. */
import { d1 } from '../../src/index.ts'
import type { Group } from './group.ts'

const root = '/builder/v1'

const globalGroup: Group = {
  slug: 'globals',
  title: 'Globals',
  intro:
    'Colors and typography of the site: four system items of each kind, which always exist, and custom items. POST to an\n' +
    'id creates or replaces a custom item. With the id of a system item it overrides that item, and DELETE restores it.\n' +
    'System items cannot be removed. Reads and writes have an `ETag`: a write that sends it as `If-Match` fails when another\n' +
    'client has changed the item since, and `If-None-Match: *` fails when there is one already.',
  features: ['globals'],
  profile: d1,
  async run({ ask }) {
    const one = `${root}/globals/colors/river`
    await ask({
      says: 'A custom color.',
      as: 'ada',
      method: 'POST',
      path: one,
      body: { title: 'River', value: '#2F6F8F' },
      showsHeaders: ['ETag'],
    })
    await ask({
      says: 'A change by a client that has read an older color.',
      as: 'ada',
      method: 'POST',
      path: one,
      body: { title: 'River', value: '#000000' },
      headers: { 'If-Match': '"0"' },
    })
    await ask({ says: 'All colors, by id.', as: 'wren', method: 'GET', path: `${root}/globals/colors` })
    await ask({ says: 'DELETE returns the removed item.', as: 'ada', method: 'DELETE', path: one })
    await ask({
      says: 'A system item cannot be removed.',
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
    'Named colors, fonts and sizes that classes and elements use. Each write increments the watermark; a batch sends the\n' +
    'watermark that the client knows and fails if another client has written since. A deleted variable keeps its id and\n' +
    'can be restored if no active variable has its label.',
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
      says: 'Several changes, all or none, with the watermark that the client knows.',
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
    'Named styles that elements of many documents use. One PUT has the added, modified and deleted classes and the order\n' +
    'of all; it succeeds as a whole or fails, with status 204. If a label is in use, the class gets another one, and the\n' +
    'response is 200 with the new label. `context=preview` uses a copy that previews of pages show and visitors do not see.\n' +
    'Front ends of two generations use one site: a save with `changes.order` has the changed classes alone, and `order` only where\n' +
    'it changed; `view=labels` lists ids and labels, `view=map` the classes. Without `view` the list has the classes;\n' +
    '[`withCurrentClients`](front-ends-of-today.md) makes it labels.',
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
      says: 'A write needs a capability that only administrators have.',
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
    'Reusable parts of documents. A request creates several components, all or none; the client gives each a `uid`, and\n' +
    'the response has the id for each `uid`. Elements must be of the new generation (`e-...`), a component cannot\n' +
    'contain itself, titles are unique, and archiving cannot be undone. `components/styles` has the styles of all components, and links\n' +
    'a style sheet (`Link`) with the rules of a page that shows them all; so do the global classes.',
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
      says: 'A lock on a component lasts an hour.',
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
    'A document of the page builder is a post or page with its elements in `meta._builder_data`, a JSON text. These\n' +
    'routes import images from other sites into the library, and delete generated styles. All images are fetched before\n' +
    'anything is written: if one fails, the document is not changed.',
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
      says: 'A document with an image from another site.',
      as: 'ada',
      method: 'PATCH',
      path: `${post}?context=edit&_fields=id,meta._builder_data`,
      body: { meta: { _builder_edit_mode: 'builder', _builder_data: JSON.stringify(elements) } },
    })
    await ask({
      says: 'The image is imported into the library.',
      as: 'ada',
      method: 'POST',
      path: `${root}/documents/${id('post.swifts')}/media/import`,
    })
    await ask({
      says: 'A document that does not exist.',
      as: 'ada',
      method: 'POST',
      path: `${root}/documents/999/media/import`,
    })
    await ask({
      says: 'Delete all style files; they are generated again.',
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
    'Settings of the page builder by key, and default values for new elements of a type. A key begins with `builder`:\n' +
    'the options of the site are not accessible. A setting without a value is `false`, not 404. A write of the defaults\n' +
    'of a type replaces all of them.',
  features: ['settings', 'element-defaults'],
  profile: d1,
  async run({ ask }) {
    const setting = `${root}/settings/builder_css_print_method`
    await ask({ says: 'Write a setting.', as: 'ada', method: 'POST', path: setting, body: { value: 'internal' } })
    await ask({ says: 'Read it.', as: 'ada', method: 'GET', path: setting })
    await ask({
      says: 'Any other key is an error.',
      as: 'ada',
      method: 'GET',
      path: `${root}/settings/siteurl`,
    })
    await ask({
      says: 'Headings get level 2 by default. The response is an empty object.',
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
    'Documents that are saved for reuse. The profile determines the types. Elements get new ids when a template is\n' +
    'saved; a template of a user who cannot publish is `pending`. There is no remote catalogue: sources other than\n' +
    '`local` are empty. A picture of a template that another site has\n' +
    'made is shown by its address, never as the file of this site that has the same number; `media/import` of the document fetches it.',
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
