import { redirect } from '@tanstack/react-router'
import { queryClient } from '#client/api/query-client.ts'
import { authoritiesOfUser, userQueries } from '#features/auth/client/public.ts'

/**
 * For `beforeLoad` of an admin page: leads everyone else to the start. While the user is not known, the server has the last
 * word.
 */
export async function managersOnly(): Promise<void> {
  const user = await queryClient.ensureQueryData(userQueries.user()).catch(() => null)
  const to: string = '/home'
  if (user && !authoritiesOfUser(user).some(one => one === 'CAMPAIGN_MANAGER' || one === 'ADMIN'))
    throw redirect({ to, replace: true })
}
