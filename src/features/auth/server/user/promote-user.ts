import type { Services } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import { isRoleName, type RoleName, roles } from '../../roles.ts'
import { type AccountSecrets, accountByEmail, deleteRole, insertRole } from '../sql/accounts.ts'

type Needs = Pick<Services, 'db' | 'clock' | 'log'>

/**
 * Gives a user a role; it counts from the user's next request on. For an operator at the server, never for a request.
 * Throws VALIDATION_FAILED for a role that does not exist, NOT_FOUND for an unknown address.
 */
export async function promoteUser(services: Needs, email: string, role: string): Promise<void> {
  const found = await find(services, email, role)
  await insertRole(services.db.system, found.account.id, found.role, services.clock.now())
  services.log.info({ accountId: found.account.id, role }, 'a role was given')
}

/** Takes a role from a user, at once. Throws as promoteUser. */
export async function demoteUser(services: Needs, email: string, role: string): Promise<void> {
  const found = await find(services, email, role)
  await deleteRole(services.db.system, found.account.id, found.role)
  services.log.info({ accountId: found.account.id, role }, 'a role was taken away')
}

async function find({ db }: Needs, email: string, role: string): Promise<{ account: AccountSecrets; role: RoleName }> {
  if (!isRoleName(role))
    throw new AppError('VALIDATION_FAILED', `There is no role ${role}; there are ${Object.keys(roles).join(', ')}.`)
  const account = await accountByEmail(db.system, email.trim().toLowerCase())
  if (!account) throw new AppError('NOT_FOUND', `Nobody has registered with ${email}.`)
  return { account, role }
}
