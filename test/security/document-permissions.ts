/** The expected decisions of the document routes, which a host adds to a profile. Written by hand, like those of the others. */
import {
  administrators,
  anybody,
  authorAndEditors,
  contributorAndEditors,
  EDITABLE,
  type Entry,
  editors,
  signedIn,
  writers,
} from './permission-actors.ts'

const path = '/site-api/v1/documents'
const published = { on: 'a published post of the author' }
const component = { on: 'a component' }
const file = (kind: string) => ({ format: 'site-api/document', version: 1, key: `${kind}.a`, kind, title: 'New' })

const moment = '2024-06-15T12:00:00Z'
const asOf = `as_of=${moment}`

const locks = '/site-api/v1/locks/{id}'
const release = '/site-api/v1/releases/{id}'
const aRelease = { on: 'a release' }

export const documentPermissions: readonly Entry[] = [
  ['GET', '/site-api/v1', anybody],

  // A kit brings any markup, options and users.
  ['GET', '/site-api/v1/kit', administrators],
  ['POST', '/site-api/v1/kit', administrators],

  // The lists have only posts that the caller may edit.
  ['GET', '/site-api/v1/presence', writers],
  ['POST', '/site-api/v1/presence', writers, { body: { session: 'one', record: 'menus' } }],
  ['DELETE', '/site-api/v1/presence', writers, { query: 'session=one' }],
  ['GET', '/site-api/v1/presence/stream', writers, { query: 'seconds=1' }],

  // A release has changes of records of everybody.
  ['GET', '/site-api/v1/releases', editors],
  ['POST', '/site-api/v1/releases', editors, { body: { name: 'Summer' } }],
  ['GET', release, editors, aRelease],
  [EDITABLE, release, editors, { ...aRelease, body: { note: 'For all' } }],
  ['GET', `${release}/changes`, editors, aRelease],
  ['DELETE', `${release}/changes`, editors, { ...aRelease, query: 'record={record}' }],
  ['GET', `${release}/previews`, editors, aRelease],
  ['POST', `${release}/previews`, editors, aRelease],
  ['DELETE', `${release}/previews/{preview}`, editors, { on: 'a release with a preview' }],
  ['POST', `${release}/publish`, editors, aRelease],
  ['POST', `${release}/undo`, editors, { on: 'a published release' }],
  ['DELETE', release, editors, aRelease],

  // A record that the caller may not edit is answered like one that is not there.
  ['GET', '/site-api/v1/checks/{record}', writers, { at: { record: 'post:1' } }],
  ['POST', '/site-api/v1/checks/{record}/apply', writers, { at: { record: 'post:1' }, body: { finding: 'none' } }],

  // Titles of drafts and private posts of all authors are shown.
  ['GET', '/site-api/v1/usage', editors, { query: 'record=post:1' }],
  ['GET', '/site-api/v1/usage/orphans', editors, { query: 'kind=media' }],
  ['GET', '/site-api/v1/usage/broken', editors],

  // A list has what the caller may edit. Creating needs what creating the kind needs.
  ['GET', path, writers, { query: 'kind=page' }],
  ['POST', path, writers, { body: { kind: 'post', title: 'New' } }],
  ['POST', path, writers, { body: { kind: 'template', title: 'New', type: 'header' } }],
  ['POST', path, editors, { body: { kind: 'page', title: 'New' } }],
  ['POST', path, administrators, { body: { kind: 'component', title: 'New {serial}' } }],

  // A document is read and written by those who may edit the post. Components are read by writers and written by administrators.
  ['GET', `${path}/{id}`, authorAndEditors, published],
  ['GET', `${path}/{id}`, contributorAndEditors, { on: 'a draft of the contributor' }],
  ['GET', `${path}/{id}`, editors, { on: 'a private post of the editor' }],
  ['GET', `${path}/{id}`, writers, component],
  ['POST', `${path}/{id}`, authorAndEditors, { ...published, body: { elements: [] } }],
  ['POST', `${path}/{id}`, editors, { on: 'a draft of the contributor', body: { status: 'publish' } }],
  ['POST', `${path}/{id}`, administrators, { ...component, body: { elements: [] } }],
  ['DELETE', `${path}/{id}`, authorAndEditors, published],
  ['DELETE', `${path}/{id}`, administrators, component],
  ['POST', `${path}/{id}/autosave`, authorAndEditors, { ...published, body: { elements: [] } }],
  [
    'POST',
    `${path}/{id}/autosave`,
    contributorAndEditors,
    { on: 'a draft of the contributor', body: { elements: [] } },
  ],
  ['POST', `${path}/{id}/autosave`, administrators, { ...component, body: { elements: [] } }],
  ['POST', `${path}/{id}/publish`, authorAndEditors, published],
  ['POST', `${path}/{id}/publish`, editors, { on: 'a draft of the contributor' }],
  ['POST', `${path}/{id}/publish`, administrators, component],
  ['POST', `${path}/{id}/discard`, authorAndEditors, published],
  ['POST', `${path}/{id}/discard`, administrators, component],

  // The history of a record, and the way back, are for those who may edit it; those of the site for administrators.
  ['GET', '/site-api/v1/history', administrators],
  ['GET', '/site-api/v1/history', authorAndEditors, { ...published, query: 'record=post:{id}' }],
  ['GET', '/site-api/v1/history', editors, { query: 'record=term:1' }],
  ['GET', '/site-api/v1/history', administrators, { query: 'record=option:name' }],
  ['GET', '/site-api/v1/history/read', authorAndEditors, { ...published, query: `path=/cms/v2/posts/{id}&${asOf}` }],
  ['GET', '/site-api/v1/history/read', administrators, { query: `path=/cms/v2/settings&${asOf}` }],
  ['GET', '/site-api/v1/history/read', editors, { query: `path=/cms/v2/search&${asOf}` }],
  [
    'GET',
    '/site-api/v1/history/difference',
    authorAndEditors,
    { ...published, query: `record=post:{id}&from=${moment}` },
  ],
  ['POST', '/site-api/v1/history/restore', administrators, { body: { to: moment } }],
  [
    'POST',
    '/site-api/v1/history/restore',
    authorAndEditors,
    { ...published, body: { record: 'post:{id}', to: moment } },
  ],

  // Whoever may edit a post locks it, and reads who has locked it.
  ...(['GET', 'POST', 'DELETE'] as const).flatMap((method): readonly Entry[] => [
    [method, locks, authorAndEditors, published],
    [method, locks, contributorAndEditors, { on: 'a draft of the contributor' }],
    [method, locks, administrators, component],
  ]),
  [
    'POST',
    `${path}/{id}/restore`,
    authorAndEditors,
    { on: 'a document of the author with a revision', body: { revision: '{revision}' } },
  ],
  ['POST', `${path}/{id}/duplicate`, authorAndEditors, published],
  ['POST', `${path}/{id}/duplicate`, administrators, component],
  ['POST', `${path}/{id}/preview`, authorAndEditors, published],
  ['POST', `${path}/{id}/preview`, administrators, component],
  ['GET', `${path}/{id}/used-by`, authorAndEditors, published],
  ['GET', `${path}/{id}/used-by`, writers, component],

  // Front ends of today: classes are read by whoever reads all of them, those of a document by writers.
  [
    'GET',
    '/builder/v1/global-classes/post',
    writers,
    { on: 'a builder document of the editor', query: 'post_id={id}' },
  ],
  ['GET', '/builder/v1/global-classes/styles', signedIn, { query: 'ids[]=g-1' }],
  ['GET', '/cms-site-health/v1/tests', administrators],
  ['GET', '/cms-site-health/v1/tests/{test}', administrators, { at: { test: 'storage' } }],
  ['GET', '/builder/v1/components/elements', writers, { query: 'componentId=1' }],
  ['GET', '/builder/v1/site-navigation/homepage', writers],
  [
    'POST',
    '/builder/v1/site-navigation/duplicate-post',
    [401, 403, 403, 403, 'ok', 'ok', 401],
    { on: 'a builder document of the editor', body: { post_id: '{id}', title: 'Copy' } },
  ],

  // Files: those who may read all of the documents; an import creates what its caller may create.
  ['GET', `${path}/{id}/export`, authorAndEditors, published],
  ['GET', `${path}/{id}/export`, writers, component],
  ['GET', `${path}/export`, authorAndEditors, { ...published, query: 'ids={id}' }],
  ['POST', `${path}/import`, writers, { body: { documents: [file('post')] } }],
  ['POST', `${path}/import`, editors, { body: { documents: [file('page')] } }],
]
