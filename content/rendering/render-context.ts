/** The settings of the site that the rendering depends on. */
export interface RenderSettings {
  /** Shows smilies as pictures (the setting `use_smilies`). */
  readonly smilies: boolean;
  /** The address of the website, without a slash at its end. */
  readonly siteUrl: string;
}

/** An image as galleries show it. */
export interface GalleryImage {
  readonly id: number;
  /** Address of the page that shows it. */
  readonly link: string;
  /** Address of its file. */
  readonly file: string;
  /** Of the original, in pixels; absent if they are not known. */
  readonly width?: number;
  readonly height?: number;
  /** As it was written. */
  readonly caption: string;
  /** Its `img` element at a size (`thumbnail`, `full`, …), with further attributes in their HTML form. */
  readonly element: (size: string, attributes: Readonly<Record<string, string>>) => string;
}

/** A post of the website as other posts embed it. */
export interface EmbeddedPost {
  readonly link: string;
  /** As HTML. */
  readonly title: string;
}

/** The objects that the content of a post refers to, looked up before it is rendered. */
export interface RenderContext {
  /** Id of the post, 0 if there is none. */
  readonly postId: number;
  readonly siteName: string;
  readonly imageOf: (id: number) => GalleryImage | undefined;
  /** The images attached to a post, in their order. */
  readonly imagesOn: (post: number) => readonly GalleryImage[];
  /** The published post of the website at an address. */
  readonly postAt: (address: string) => EmbeddedPost | undefined;
  /** Numbers the galleries of one request, from 1. */
  readonly nextGallery: () => number;
}

/** The context of a text that refers to nothing. */
export const NOWHERE: RenderContext = {
  postId: 0,
  siteName: '',
  imageOf: () => undefined,
  imagesOn: () => [],
  postAt: () => undefined,
  nextGallery: () => 1,
};
