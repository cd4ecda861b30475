import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import * as v from 'valibot'

const token = v.fallback(v.pipe(v.union([v.string(), v.number()]), v.transform(String)), '')

/** Search of the addresses that mails link to. A token that looks like a number is one all the same. */
export const tokenSearch = v.object({ token: v.optional(token) })

/**
 * The token that the address brought, empty without one. It is taken out of the address, so that it stays in no history.
 */
export function useLinkToken(path: string): string {
  const { token: inAddress = '' } = v.parse(tokenSearch, useSearch({ strict: false }))
  const [token] = useState(inAddress)
  const navigate = useNavigate()
  useEffect(() => {
    if (inAddress !== '') void navigate({ to: path, search: {}, replace: true, viewTransition: false })
  }, [inAddress, navigate, path])
  return token
}
