import { type Dispatch, useMemo } from 'react'
import { confirm } from '#client/ui/overlays/confirm.ts'
import type { Template } from '../../contract.ts'
import { hasProgress, hasProgressBeyondTemplate } from '../../draft/rules.ts'
import type { SetupMode, WizardState } from '../../draft/wizard-state.ts'
import { saveMode } from '../draft/draft-store.ts'
import type { WizardAction } from '../wizard/state.ts'

/** Changing mode or template resets what was entered, after a question when something would be lost. */
export const useResettingChoices = (state: WizardState, dispatch: Dispatch<WizardAction>, go: (step: number) => void) =>
  useMemo(
    () => ({
      changeMode: async (mode: SetupMode): Promise<void> => {
        if (mode === state.setupMode || (hasProgress(state) && !(await askReset('Change the setup mode?')))) return
        saveMode(mode)
        dispatch({ type: 'modeChosen', mode })
        go(1)
      },
      changeTemplate: async (template: Template): Promise<void> => {
        if (template === state.template) return
        if (hasProgressBeyondTemplate(state) && !(await askReset('Change the template?'))) return
        dispatch({ type: 'templateChosen', template })
      },
    }),
    [state, dispatch, go],
  )

const askReset = (title: string): Promise<boolean> =>
  confirm({
    title,
    message: 'What you have entered so far is reset, and you begin at step 1.',
    confirmText: 'Reset and change',
    tone: 'danger',
  })
