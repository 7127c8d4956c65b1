/** The arguments of the media routes, in the order in which the interface declares them. */
import {
  bool,
  checkedFirst,
  context,
  int,
  lateAll,
  list,
  nullMeans,
  num,
  object,
  oneOf,
  publishedDefault,
  required,
  str,
} from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { forbidden } from '../../../core/declare/permissions.ts'
import type { MetaFields } from '../../shared/post-meta.ts'
import { mediaType } from '../content-types/model.ts'
import { listArgsOf, textArg, writeArgsOf } from '../posts/content-type.ts'
import { mediaRecords } from './model.ts'

const { published } = mediaType

/** Interface: files are listed by their posts as pages by their parents. */
const listed = { ...mediaType, published: { ...published, isHierarchical: true as const } }
const { status: _status, ...commonListArgs } = listArgsOf<'title' | 'author' | 'comments', true, never>(listed)

export const listArgs = {
  ...commonListArgs,
  ...lateAll({
    status: checkedFirst(
      list(oneOf(['inherit', 'private', 'trash']), {
        default: 'inherit',
        description: 'Lists only media with one of these statuses.',
        check: mayListStatuses,
      }),
    ),
    media_type: publishedDefault(
      list(oneOf(['image', 'video', 'text', 'application', 'audio']), {
        default: null as never,
        description: 'Lists only files of these kinds.',
      }),
    ),
    mime_type: publishedDefault(
      list(str(), { default: null as never, description: 'Lists only files of these types, too.' }),
    ),
  }),
}

/** Interface: a status that the caller may not list is an argument error, for visitors too. */
function mayListStatuses(statuses: unknown, { user }: Context) {
  if (!Array.isArray(statuses)) return undefined
  const isForbidden = statuses.some(
    (status) =>
      status !== 'inherit' && !user.can('edit_posts') && !(status === 'private' && user.can('read_private_posts')),
  )
  if (!isForbidden) return undefined
  const { status } = forbidden(user)
  return { code: 'rest_forbidden_status', message: 'You may not list media with this status.', data: { status } }
}

const shown = (name: string, description: string) =>
  textArg(
    name,
    object(
      {
        raw: str({ description: 'As it is stored.', context: ['edit'] }),
        rendered: str({ description: 'As HTML.', context: ['view', 'edit', 'embed'], readonly: true }),
      },
      { description },
    ),
  )

const written = {
  ...mediaType,
  published: { ...published, supports: [...published.supports, 'thumbnail' as const] },
}
const { password: _password, ...commonWriteArgs } = writeArgsOf<
  'title' | 'author' | 'comments' | 'thumbnail',
  false,
  never
>(written, mediaRecords.meta)

const ownTexts = {
  alt_text: nullMeans(str({ description: 'What the picture shows, for those who can not see it.' }), ''),
  caption: shown('caption', 'The text below the file.'),
  description: shown('description', 'What there is to say about the file.'),
}
const postArg = { post: nullMeans(int({ description: 'The ID of the post that the file belongs to; 0: none.' }), 0) }

export const writeArgs = { ...commonWriteArgs, ...ownTexts, ...postArg }

export const createArgs = {
  ...writeArgs,
  generate_sub_sizes: bool({ default: true, description: 'Whether smaller copies of a picture are made.' }),
  convert_format: bool({ default: true, description: 'Accepted; pictures keep their format.' }),
  url: str({ format: 'uri', description: 'The address of a file to fetch, in place of a file in the body.' }),
}

/** The arguments of writes, with the fields of a profile. */
export const writeArgsWith = ({ arg: meta }: MetaFields) => ({
  createArgs: { ...createArgs, meta },
  writeArgs: { ...writeArgs, meta },
})

export const idArg = { id: int({ description: 'The ID of the medium.' }) }
export const readArgs = { ...idArg, context: context() }
export const deleteArgs = {
  ...idArg,
  force: bool({ default: false, description: 'Has to be true: media have no trash.' }),
}
export const processArgs = {
  ...idArg,
  action: required(oneOf(['create-image-subsizes'], { description: 'Makes the sizes that are missing.' })),
}

const percent = (description: string) => num({ minimum: 0, maximum: 100, description })
const need = <T>(inner: Parameters<typeof required<T>>[0]) => required(inner)

const flip = object({
  type: need(oneOf(['flip'])),
  args: need(
    object({ flip: need(object({ horizontal: need(bool()), vertical: need(bool()) }, { description: 'How.' })) }),
  ),
})
const rotate = object({ type: need(oneOf(['rotate'])), args: need(object({ angle: need(num()) })) })
const crop = object({
  type: need(oneOf(['crop'])),
  args: need(object({ left: need(num()), top: need(num()), width: need(num()), height: need(num()) })),
})

/** One of three forms, which `type` distinguishes. */
const modifier = {
  node: {
    type: 'object' as const,
    description: 'A change of the picture.',
    properties: {
      type: { type: 'string' as const, required: true },
      args: { type: 'object' as const, required: true },
    },
    oneOf: [
      { title: 'Flip', ...flip.node },
      { title: 'Rotation', ...rotate.node },
      { title: 'Crop', ...crop.node },
    ],
  },
}

export type Modifier =
  | {
      readonly type: 'flip'
      readonly args: { readonly flip: { readonly horizontal: boolean; readonly vertical: boolean } }
    }
  | { readonly type: 'rotate'; readonly args: { readonly angle: number } }
  | {
      readonly type: 'crop'
      readonly args: { readonly left: number; readonly top: number; readonly width: number; readonly height: number }
    }

export const editArgs = {
  ...idArg,
  src: required(str({ format: 'uri', description: 'The address of the file that is edited.' })),
  modifiers: list(modifier as { readonly node: typeof modifier.node; readonly '~types'?: [Modifier, false] }, {
    description: 'The changes, in order.',
    minItems: 1,
  }),
  rotation: int({
    minimum: 0,
    maximum: 360,
    exclusiveMinimum: true,
    exclusiveMaximum: true,
    description: 'How far the picture is turned clockwise, in degrees.',
  }),
  x: percent('Where a crop begins from the left, in percent.'),
  y: percent('Where a crop begins from the top, in percent.'),
  width: percent('The width of a crop, in percent.'),
  height: percent('The height of a crop, in percent.'),
  caption: ownTexts.caption,
  description: ownTexts.description,
  title: commonWriteArgs.title,
  ...postArg,
  alt_text: ownTexts.alt_text,
}
