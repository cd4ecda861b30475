import { QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { createQueryClient } from './query-client.ts'

async function shownAgain(before: (client: ReturnType<typeof createQueryClient>) => unknown): Promise<number> {
  const client = createQueryClient()
  let requestCount = 0
  client.setQueryData(['figures'], 0, { updatedAt: 1 })
  await before(client)
  const stop = new QueryObserver(client, {
    queryKey: ['figures'],
    queryFn: () => {
      requestCount += 1
      return requestCount
    },
  }).subscribe(() => undefined)
  await client.cancelQueries()
  stop()
  return requestCount
}

it('asks for nothing again only because it is shown again, however old', async () => {
  expect(await shownAgain(() => undefined)).toBe(0)
})
it('refetches a hidden query that a change invalidated', async () => {
  expect(await shownAgain(client => client.invalidateQueries())).toBe(1)
})
