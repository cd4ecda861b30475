import { cleanup } from '@testing-library/react'
import { beforeAll } from 'vitest'
import { queryClient } from '#client/api/query-client.ts'
import { currentToasts, dismissToast } from '#client/ui/shell/toast-store.ts'

// The files of this project share one page, which is what most of their time would go to; each finds it as if it were new.
beforeAll(() => {
  cleanup()
  queryClient.clear()
  for (const { id } of currentToasts()) dismissToast(id)
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  document.body.replaceChildren()
})
