import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import * as v from 'valibot'
import { ApiError } from '#client/api/api-error.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import type { CallbackInput } from '../../connect-contract.ts'
import { type CallbackFailure, callbackFailure } from './callback-failures.ts'
import { callbackSearch } from './consent-search.ts'
import { refreshConnections } from '../mutations.ts'
import { callbackQuery } from './callback-query.ts'

/**
 * Completes the consent that the address tells of, once however often the screen is drawn, and leads on. Answers what went
 * wrong, null while it goes on.
 */
export function useConsentReturn(): CallbackFailure | null {
  const search = v.parse(callbackSearch, useSearch({ strict: false }))
  const client = useQueryClient()
  const navigate = useNavigate()
  const begun = search.state !== ''
  const { data, error } = useQuery({ ...callbackQuery(given(search)), enabled: begun })

  useEffect(() => {
    if (!data) return
    void refreshConnections(client).then(() => {
      if (data.kind === 'SELLING_PARTNER') toast({ title: `${data.merchant.name} is connected`, tone: 'success' })
      else if (data.taken.length > 0)
        toast({ title: 'Some accounts belong to others', message: data.taken.join(', '), tone: 'warning' })
      // Replaced, so that neither the code stays in the address bar nor Back leads to a used state.
      const to: string = data.kind === 'AMAZON_ADS' ? '/connections/profiles' : '/connections'
      return navigate({ to, replace: true })
    })
  }, [data, client, navigate])

  if (!begun) return callbackFailure(notBegun)
  return error ? callbackFailure(error) : null
}

const notBegun = new ApiError(400, { errorCode: 'OAUTH_STATE_INVALID', message: '', details: [], requestId: '' })

const given = (search: v.InferOutput<typeof callbackSearch>): CallbackInput => ({
  state: search.state,
  ...(search.code && { code: search.code }),
  ...(search.spapi_oauth_code && { spapi_oauth_code: search.spapi_oauth_code }),
  ...(search.selling_partner_id && { selling_partner_id: search.selling_partner_id }),
  ...(search.error && { error: search.error }),
  ...(search.error_description && { error_description: search.error_description }),
})
