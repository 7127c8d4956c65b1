'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import type { Content } from 'site-api'
import { createClient } from 'site-api/client'

interface State {
  readonly message: string
  readonly isProblem?: boolean
  /** From 0 to 1 while a file is sent. */
  readonly progress?: number
}

/** Sends a picture straight to the API, with the session of the page. */
export function UploadForm() {
  const router = useRouter()
  const [{ message, isProblem, progress }, show] = useState<State>({ message: '' })

  async function upload(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const values = new FormData(form)
    const file = values.get('file')
    if (!(file instanceof File) || file.size === 0) return
    show({ message: 'Sending…', progress: 0 })
    const client = createClient<Content>({ url: '/api' })
    const result = await client.upload(
      file,
      { title: String(values.get('title')), alt_text: String(values.get('alt_text')) },
      { name: file.name, onProgress: (sent, total) => show({ message: 'Sending…', progress: sent / total }) },
    )
    if (!result.ok) return show({ message: result.error.message, isProblem: true })
    form.reset()
    show({ message: 'The photograph is published.' })
    router.refresh()
  }

  return (
    <form onSubmit={upload} className="panel" aria-labelledby="upload">
      <h2 id="upload">Add a photograph</h2>
      <p>
        <label htmlFor="file">File</label>
        <input id="file" name="file" type="file" accept="image/*" required />
      </p>
      <div className="pair">
        <p>
          <label htmlFor="title">Title</label>
          <input id="title" name="title" required maxLength={200} />
        </p>
        <p>
          <label htmlFor="alt_text">What it shows</label>
          <input id="alt_text" name="alt_text" required aria-describedby="alt_text-hint" />
          <small id="alt_text-hint">For readers who do not see it.</small>
        </p>
      </div>
      {progress !== undefined && (
        <progress value={progress} aria-label="Upload">
          {Math.round(progress * 100)} %
        </progress>
      )}
      <p className={isProblem ? 'notice problem' : 'notice'} role="status">
        {message}
      </p>
      <button type="submit" disabled={progress !== undefined}>
        Upload
      </button>
    </form>
  )
}
