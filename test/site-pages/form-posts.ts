/** Published pages of a test site that have a form. */
import { formPage } from '../features/builder/form-submissions/form-page.ts'
import { smallSite } from '../support/small-site.ts'

export const formPost = (key: string, fields: readonly object[], settings: object = {}) => ({
  ...{ key, slug: key, title: `Form ${key}`, status: 'publish', author: 'editor', date: '2024-02-20T09:00:00' },
  ...{ content: '', categories: [], comment_status: 'closed' },
  meta: {
    _builder_edit_mode: 'builder',
    _builder_data: JSON.stringify([
      {
        id: 'c0ntain',
        elType: 'container',
        elements: formPage({
          ...{ form_fields: fields, submit_actions: ['save-to-database'] },
          // The colours of a site without a kit have less contrast.
          ...{ label_color: '#222222', field_text_color: '#222222' },
          ...{ button_background_color: '#1d4e89', button_text_color: '#ffffff' },
          ...settings,
        }),
      },
    ]),
  },
})

/** The small site, with these pages. */
export const withForms = (...posts: readonly ReturnType<typeof formPost>[]) => ({
  ...smallSite,
  posts: [...smallSite.posts, ...posts],
})
