import Link from 'next/link'

export const metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <div className="column">
      <h1>There is no such page</h1>
      <p>
        Perhaps it has moved. Search for it above, or read <Link href="/">the latest letters</Link>.
      </p>
    </div>
  )
}
