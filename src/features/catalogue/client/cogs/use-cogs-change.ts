import { useMutationState } from '@tanstack/react-query'
import type { InventoryProduct } from '../../contract.ts'
import { type CogsChange, cogsKey, useWaitingCogs } from '../mutations.ts'

interface ShownCogs {
  /** What the user said last, whether it arrived yet or not; null when it is not known. */
  amount: number | null
  /** The change that waits for the network. */
  waiting: boolean
  /** The last change, when it was refused or did not arrive. */
  failed: CogsChange | null
}

/** The COGS to show for a product: changes on their way count before what the server told. */
export const useCogsChange = ({ productId, cogs }: InventoryProduct): ShownCogs => {
  const waiting = useWaitingCogs(productId)
  const changes = useMutationState({
    filters: { mutationKey: cogsKey(productId) },
    // Only setCogs makes mutations with this key.
    select: ({ state }) => ({ ...state, variables: state.variables as CogsChange | undefined }),
  })
  if (waiting !== undefined) return { amount: waiting, waiting: true, failed: null }
  const last = changes.at(-1)
  if (!last?.variables) return { amount: cogs, waiting: false, failed: null }
  if (last.status === 'error') return { amount: cogs, waiting: false, failed: last.variables }
  if (last.status !== 'pending') return { amount: cogs, waiting: false, failed: null }
  return { amount: last.variables.cogs, waiting: false, failed: null }
}
