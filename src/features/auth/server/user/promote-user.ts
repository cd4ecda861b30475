import type { Services } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import { isRoleName, type RoleName, roles } from '../../roles.ts'
import { type AccountSecrets, accountByEmail, deleteRole, insertRole } from '../sql/accounts.ts'

type Needs = Pick<Services, 'db' | 'clock' | 'log'>

/**
 * Adds a role to a user, from the user's next request on. For operators, not for requests. Throws VALIDATION_FAILED for an
 * unknown role, NOT_FOUND for an unknown address.
 */
export async function promoteUser(services: Needs, email: string, role: string): Promise<void> {
  const found = await find(services, email, role)
  await insertRole(services.db.system, found.account.id, found.role, services.clock.now())
  services.log.info({ accountId: found.account.id, role }, 'a role was added')
}

/** Removes a role from a user, from the user's next request on. Throws like promoteUser. */
export async function demoteUser(services: Needs, email: string, role: string): Promise<void> {
  const found = await find(services, email, role)
  await deleteRole(services.db.system, found.account.id, found.role)
  services.log.info({ accountId: found.account.id, role }, 'a role was removed')
}

async function find({ db }: Needs, email: string, role: string): Promise<{ account: AccountSecrets; role: RoleName }> {
  if (!isRoleName(role))
    throw new AppError('VALIDATION_FAILED', `There is no role ${role}. The roles are ${Object.keys(roles).join(', ')}.`)
  const account = await accountByEmail(db.system, email.trim().toLowerCase())
  if (!account) throw new AppError('NOT_FOUND', `Nobody has registered with ${email}.`)
  return { account, role }
}
