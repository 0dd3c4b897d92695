import * as z from 'zod';

// Zod tries once whether it may generate code, which a page with a Content-Security-Policy reports. `jitless` omits that, but is a
// setting of all copies of zod in the page. So it applies only until this copy has decided, before the first schema.
if ('document' in globalThis) {
  const { jitless } = z.config();
  z.config({ jitless: true });
  void z.core.util.allowsEval.value;
  z.config({ jitless });
}
