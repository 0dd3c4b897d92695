'use client';

import { useFormStatus } from 'react-dom';

/** A button that is off while its form is sent, so that nothing is sent twice. */
export function Submit({ children, ...props }) {
  const { pending } = useFormStatus();
  return (
    <button {...props} disabled={pending} aria-busy={pending}>
      {children}
    </button>
  );
}
