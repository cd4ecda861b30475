import { useEffect, useEffectEvent, useRef } from 'react'
import { toast } from '#client/ui/shell/toast-store.ts'

// Another merchant brings another marketplace a moment later.
const settledMs = 300

/**
 * Says that the wizard went over to another account. It has no switch of its own: that was done in another tab, and what
 * stood here would be gone without a word.
 */
export const useToldAccount = (scope: string, name: string): void => {
  const told = useRef(scope)
  const tell = useEffectEvent((now: string) => {
    if (told.current === now) return
    told.current = now
    toast({
      title: `Now for ${name}`,
      message: 'The account was changed elsewhere. What you had begun is kept for the one before.',
      tone: 'warning',
    })
  })
  useEffect(() => {
    const timer = setTimeout(() => tell(scope), settledMs)
    return () => clearTimeout(timer)
  }, [scope])
}
