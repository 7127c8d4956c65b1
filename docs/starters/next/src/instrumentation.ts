/** Next calls this once, before its first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { fillEmptySite } = await import('./first-start.ts')
  await fillEmptySite()
}
