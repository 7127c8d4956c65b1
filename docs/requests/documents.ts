/** The pages of the routes of documents, and of kits, which a host adds to its profile. */
import { full, kitFeatures, profile } from '../../src/index.ts'
import type { Group } from './group.ts'

const path = '/site-api/v1/documents'

const headingOf = (title: string) => ({
  ...{ id: 'a1b2c3d', elType: 'widget', widgetType: 'heading', settings: { title }, elements: [] },
})

const documentGroup: Group = {
  slug: 'site-documents',
  title: 'Documents of every kind',
  intro:
    'Posts, pages, templates and components as documents of the page builder, for the front end of an editor. Profiles\n' +
    '`d1`, `d2` and `full` have these routes (the indexes of `d1` and `d2` do not list them); a host adds `documentFeatures` to\n' +
    'another profile. `api.site.documents` does the same in the process. A save makes a revision; an autosave keeps a draft of its author beside the document, which a read shows in `draft`\n' +
    'and publishing makes the document. `If-Match` with the ETag of a read refuses to save a document that another user has changed.\n' +
    'A lock refuses the writes of others on every route (409 `rest_locked`) for two and a half minutes; an editor renews it.\n' +
    'The option `documentLinks` names the editor in `edit_url` and the like.',
  features: ['site-documents', 'edit-locks'],
  profile: full,
  async run({ ask, id, hide }) {
    const page = `${path}/${id('page.welcome')}`
    const shows = ['id', 'title', 'status', 'elements', 'draft']
    await ask({
      says: 'The pages that the caller may edit; the last change first.',
      as: 'ada',
      method: 'GET',
      path: `${path}?kind=page&per_page=2`,
    })
    await ask({
      says: 'Save a page with one heading.',
      as: 'ada',
      method: 'POST',
      path: page,
      body: { title: 'Welcome', elements: [headingOf('Fortnightly')], settings: { hide_title: 'yes' } },
      showsHeaders: ['ETag'],
    })
    await ask({
      says: 'Another save, by a user who has read an older state.',
      as: 'ada',
      method: 'POST',
      path: page,
      body: { elements: [] },
      headers: { 'If-Match': '"0"' },
    })
    await ask({
      says: 'A draft beside it.',
      as: 'ada',
      method: 'POST',
      path: `${page}/autosave`,
      body: { elements: [headingOf('Every other Friday')] },
      shows,
    })
    await ask({ says: 'The draft becomes the page.', as: 'ada', method: 'POST', path: `${page}/publish`, shows })
    const preview = await ask({
      says: 'An address that shows the page to whoever has it, for a day.',
      as: 'ada',
      method: 'POST',
      path: `${page}/preview`,
    })
    hide(preview.at('token'), 'TOKEN')
    const copy = await ask({ says: 'A copy.', as: 'ada', method: 'POST', path: `${page}/duplicate`, shows })
    await ask({
      says: 'A page that shows a template.',
      as: 'ada',
      method: 'POST',
      path: `${path}/${copy.at('id')}`,
      body: { elements: [{ ...headingOf('News'), settings: { template_id: id('page.welcome') } }] },
      shows: ['id', 'elements'],
    })
    await ask({ says: 'What uses the first.', as: 'ada', method: 'GET', path: `${page}/used-by` })
    await ask({
      says: 'The copy as a file, which another site can import. References stand in place of ids.',
      as: 'ada',
      method: 'GET',
      path: `${path}/${copy.at('id')}/export`,
    })
    const template = {
      ...{ format: 'site-api/document', version: 1, key: 'template.news', kind: 'template', type: 'header' },
      ...{ title: 'News', elements: [{ ...headingOf('News'), settings: { template_id: { $ref: 'page.gone' } } }] },
    }
    await ask({
      says: 'The import of a file. A reference to nothing on the site is listed. Several files are a zip archive, too.',
      as: 'ada',
      method: 'POST',
      path: `${path}/import`,
      body: { documents: [template] },
    })
    await ask({
      says: 'A file of something else.',
      as: 'ada',
      method: 'POST',
      path: `${path}/import`,
      body: { documents: [{}] },
    })
    await ask({
      says: 'A new header.',
      as: 'ada',
      method: 'POST',
      path,
      body: { kind: 'template', type: 'header' },
      shows,
    })
    await ask({
      says: 'Who may not write pages creates none.',
      as: 'june',
      method: 'POST',
      path,
      body: { kind: 'page' },
    })
    const lock = `/site-api/v1/locks/${id('page.welcome')}`
    await ask({ says: 'Lock the page while you edit it.', as: 'ada', method: 'POST', path: lock })
    await ask({ says: 'Another editor saves it.', as: 'tomas', method: 'POST', path: page, body: { title: 'Hello' } })
    await ask({ says: 'Release it.', as: 'ada', method: 'DELETE', path: lock })
    await ask({ says: 'To the trash.', as: 'ada', method: 'DELETE', path: `${path}/${copy.at('id')}` })
  },
}

const kitGroup: Group = {
  slug: 'site-kits',
  title: 'Site kits',
  intro:
    'Takes over a site kit or a template kit, and writes the site as one. No profile has these routes: a host adds `kitFeatures` to the\n' +
    'features of its profile. A kit is a zip archive of at most 64 MB, and of `limits.uploadBytes`, sent as the body with the type\n' +
    '`application/zip`. It is taken over whole or refused with 400 `import_kit`; `Prefer: dry-run` says what it would bring and stores\n' +
    'nothing. [import.md](../import.md) says what a kit has. Both routes are for administrators, who may write any markup and users.',
  features: ['site-kits'],
  profile: profile({ ...full, name: 'full with kits', features: [...full.features, ...kitFeatures] }),
  async run({ ask }) {
    await ask({
      says: 'A body that is no archive.',
      as: 'ada',
      method: 'POST',
      path: '/site-api/v1/kit',
      body: { design: true },
    })
    await ask({
      says: 'Who may not manage the site reads no kit.',
      as: 'june',
      method: 'GET',
      path: '/site-api/v1/kit',
    })
  },
}

export const documentGroups: readonly Group[] = [documentGroup, kitGroup]
