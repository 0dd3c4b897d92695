import { lazyView } from './lazy-view.tsx';
import { composer } from './rooms.ts';

/** A request that can be changed and sent. */
export const Composer = lazyView(composer);

export type { Draft } from './composer/composer.tsx';
