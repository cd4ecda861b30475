import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { type CallbackInput, connectEndpoints } from '../../connect-contract.ts'
import { accountQueries } from '../queries.ts'

/**
 * The completion of a consent. As a query of its state it runs once, however often the screen is drawn; the state would
 * be refused the second time.
 */
export function callbackQuery(input: CallbackInput) {
  return queryOptions({
    queryKey: [...accountQueries.all, 'callback', input.state],
    // Never aborted: the server may have used the code up before the answer came.
    queryFn: () => call(connectEndpoints.anyCallback, { body: input }, { timeoutMs: 60_000 }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    networkMode: 'always',
    meta: { silent: true },
  })
}
