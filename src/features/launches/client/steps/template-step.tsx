import { useId } from 'react'
import type { Template } from '../../contract.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import { TemplateDiagram } from './template-diagram.tsx'
import { templateGroups } from '../wizard/words.ts'

interface TemplateStepProps {
  state: WizardState
  error: string | undefined
  onTemplate: (template: Template) => void
}

/** Step 1: the nine structures in their three groups. */
export const TemplateStep = ({ state, error, onTemplate }: TemplateStepProps) => {
  const id = useId()
  return (
    <>
      {error && (
        <p className="field-error" role="alert" id={id}>
          {error}
        </p>
      )}
      {templateGroups.map(group => (
        <fieldset
          key={group.title}
          className="choices templates"
          data-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
        >
          <legend>{group.title}</legend>
          {group.templates.map(({ value, name, hint }) => (
            <label key={value} className="choice template">
              <input
                type="radio"
                name="template"
                value={value}
                checked={state.template === value}
                onChange={() => onTemplate(value)}
              />
              <span>
                <strong>{name}</strong>
                <small>{hint}</small>
                <TemplateDiagram template={value} mode={state.setupMode} />
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </>
  )
}
