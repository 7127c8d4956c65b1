// What a page does that boots the editor, after the documentation of its packages. It runs in Chromium, bundled in the folder
// where the packages are installed.
import '@wordpress/format-library'
import apiFetch from '@wordpress/api-fetch'
import { dispatch } from '@wordpress/data'
import { initializeEditor } from '@wordpress/edit-post'
import { store as preferences } from '@wordpress/preferences'
import { create } from '@wordpress/preferences-persistence'

const { root, post, settings } = JSON.parse(document.getElementById('start').textContent)
apiFetch.use(apiFetch.createRootURLMiddleware(root))
// Changes of preferences are sent at once.
await dispatch(preferences).setPersistenceLayer(create({ requestDebounceMS: 1 }))
initializeEditor('editor', 'post', post, settings, {})
