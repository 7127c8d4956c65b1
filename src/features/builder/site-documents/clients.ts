/** Serves what front ends of today ask for in their navigation between the documents of a site. */
import { int, required, str } from '../../../core/declare/args.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { can } from '../../../core/declare/permissions.ts'
import { fields } from '../../../core/declare/response-schema.ts'
import { duplicateDocument } from './copies.ts'
import { edits, findDocument } from './kinds.ts'
import { storedDocument } from './model.ts'

export const navigationOfClients = [
  endpoint({
    path: '/site-navigation/homepage',
    methods: ['GET'],
    args: {},
    summary: 'Read the ID of the page that is the front page; 0: the list of posts is',
    permission: can('edit_posts'),
    responses: { 200: int({ description: 'The ID of the page.' }) },
    handler: ({ settings }) => (settings.showOnFront === 'page' ? settings.pageOnFront : 0),
  }),
  endpoint({
    path: '/site-navigation/duplicate-post',
    methods: ['POST'],
    args: {
      post_id: required(int({ minimum: 1, description: 'The document to copy.' })),
      title: required(str({ maxLength: 1000, description: 'The title of the copy.' })),
    },
    summary: 'Copy a document to a draft with another title',
    resource: ({ args, storage }) => findDocument({ args: { id: args.post_id }, storage }),
    permission: edits,
    etag: storedDocument,
    responses: { 200: fields({ post_id: int({ description: 'The ID of the copy.' }) }) },
    handler: async (context) => {
      const { post } = await duplicateDocument(context, context.args.title)
      return { post_id: post.id }
    },
  }),
] as const
