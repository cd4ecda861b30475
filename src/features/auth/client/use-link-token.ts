import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import * as v from 'valibot'

const token = v.fallback(v.pipe(v.union([v.string(), v.number()]), v.transform(String)), '')

/** The search params of links in emails. A token may look like a number. */
export const tokenSearch = v.object({ token: v.optional(token) })

/** The search params of an affiliate's link to the registration. */
export const affiliateSearch = v.object({ affiliate: v.fallback(v.optional(v.string()), undefined) })

/**
 * The token in the address, or an empty string. It is removed from the address, so that it does not stay in the history.
 */
export function useLinkToken(path: string): string {
  const { token: tokenInAddress = '' } = v.parse(tokenSearch, useSearch({ strict: false }))
  const [token] = useState(tokenInAddress)
  const navigate = useNavigate()
  useEffect(() => {
    if (tokenInAddress !== '') void navigate({ to: path, search: {}, replace: true, viewTransition: false })
  }, [tokenInAddress, navigate, path])
  return token
}
