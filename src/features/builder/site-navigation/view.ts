/** The response for a recent page builder document. */

import { bool, int, list, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { fields } from '../../../core/declare/response-schema.ts'
import { editAddress } from '../../../site/document-links.ts'
import { editorOf, findContentType } from '../../content/content-types/model.ts'
import { mayEditPost } from '../../content/posts/model.ts'
import type { BuilderDocument } from './model.ts'

const templateLabels: ReadonlyMap<string, string> = new Map([
  ['wp-post', 'Post'],
  ['wp-page', 'Page'],
  ['page', 'Page'],
  ['section', 'Section'],
  ['container', 'Container'],
  ['e-div-block', 'Div block'],
  ['e-flexbox', 'Flexbox'],
  ['floating-buttons', 'Floating element'],
])

const edit_url = str({ format: 'uri', description: 'Where the page builder opens it.' })

export const documentsSchema = list(
  fields(
    {
      id: int(),
      title: str(),
      edit_url,
      date_modified: int({ description: 'Unix time.' }),
      type: fields({
        post_type: str(),
        doc_type: str({ description: 'What the page builder calls it.' }),
        label: str({ description: 'What people call it.' }),
      }),
      user_can: fields({ edit: bool() }),
    },
    { title: 'Recent document' },
  ),
)

export const newDocumentSchema = fields({ id: int(), edit_url }, { title: 'New document' })

export function documentView(
  { user, settings, app }: Pick<Context, 'user' | 'settings' | 'app'>,
  { post, templateType }: BuilderDocument,
) {
  const type = findContentType(post.type)
  const documentType = templateType === '' ? (type?.documentType ?? post.type) : templateType
  return {
    id: post.id,
    title: post.title,
    edit_url: editAddress(settings, post.id),
    date_modified: Math.floor(Date.parse(`${post.modifiedGmt}Z`) / 1000),
    type: {
      post_type: app.names.toPublic(post.type),
      doc_type: app.names.toPublic(documentType),
      label: templateLabels.get(documentType) ?? type?.label ?? post.type,
    },
    user_can: { edit: mayEditPost(editorOf(user, post.type), post) },
  }
}
