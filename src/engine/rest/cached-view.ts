import { Fragment, textParts, viewParts } from './json.ts';
import { DetailText, joinParts } from './text-parts.ts';
import { ViewText } from './view-text.ts';

/** Texts of records by their ids. Each stays until something that was read for it changes. */
export interface TextCache {
  /** @param isEnough whether a cached text can be used (default: always) */
  get(id: number, make: () => ViewText, isEnough?: (text: ViewText) => boolean): ViewText;
}

/** Makes views of records whose texts are cached. */
export interface ViewTexts {
  /** See `cachedView`. */
  view<View>(id: number, how: HowToView<View>): View;
  /** See `apart`. */
  apart<View>(views: View[]): View[];
}

interface HowToView<View> {
  readonly isListed: boolean;
  readonly make: () => View;
}

/**
 * Returns a fragment with the text of a record, which is made unless it is cached.
 *
 * @param make returns the view: of a record in a list, without its details; alone, with details that are `apart`
 */
export function cachedView<View>(
  texts: TextCache,
  id: number,
  { isListed, make }: HowToView<View>,
): View {
  let view: View | undefined;
  const create = (): ViewText => ViewText.of(viewParts((view = make())), !isListed);
  const text = texts.get(id, create, isListed ? undefined : isWhole);
  return isListed
    ? Fragment.of(text.listed, view, text.listed)
    : Fragment.of(text.alone, view, text);
}

const isWhole = (text: ViewText): boolean => text.isWhole;

/** Marks a list of a record as details: it is empty where the text of the record is in a list. */
export function apart<View>(views: View[]): View[] {
  if (views.length === 0) return views;
  return Fragment.of(new DetailText(joinParts(textParts(views))), views);
}
