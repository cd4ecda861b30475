import { useBlocker } from '@tanstack/react-router'
import { confirm } from '#client/ui/overlays/confirm.ts'

/** Every way out of the wizard, the phone's back button too, asks once when something was entered. */
export const useGuardedLeave = (guarded: boolean): void => {
  useBlocker({
    disabled: !guarded,
    enableBeforeUnload: false,
    shouldBlockFn: async ({ current, next }) => {
      if (next.pathname === current.pathname || next.pathname === '/login') return false
      const leaves = await confirm({
        title: 'Unsaved Changes',
        message: 'This campaign is not launched yet. Your draft is kept, and you can go on with it on any device.',
        confirmText: 'Leave',
        cancelText: 'Stay',
      })
      return !leaves
    },
  })
}
