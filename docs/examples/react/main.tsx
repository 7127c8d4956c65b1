/** The entry of a front end that is built by Vite, esbuild or another bundler. */
import { createRoot } from 'react-dom/client'
import { App } from './posts.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no element #root')
createRoot(root).render(<App options={{ url: '/api' }} />)
