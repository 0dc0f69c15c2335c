<?php
// Replaces the content of a WordPress site by that of an exchange file, and writes the export of the site to the output.
// Arguments: folder of the site, which has the plugin wordpress-importer; the file; folder of the uploads that it names.
list( , $site, $file, $uploads ) = $argv;
define( 'WP_LOAD_IMPORTERS', true );
ob_start();
require "$site/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/admin.php';
require_once ABSPATH . 'wp-admin/includes/export.php';
require_once WP_PLUGIN_DIR . '/wordpress-importer/wordpress-importer.php';

foreach ( $wpdb->get_col( "SELECT ID FROM $wpdb->posts" ) as $id ) {
	wp_delete_post( $id, true );
}
foreach ( get_terms( array( 'taxonomy' => array( 'category', 'post_tag' ), 'hide_empty' => false ) ) as $term ) {
	wp_delete_term( $term->term_id, $term->taxonomy );
}
foreach ( get_users( array( 'exclude' => array( 1 ) ) ) as $user ) {
	wp_delete_user( $user->ID );
}
delete_option( 'sticky_posts' );
// The files of the recorded content are in no folders of months.
update_option( 'uploads_use_yearmonth_folders', '' );

// No other host is asked for uploads.
add_filter( 'pre_http_request', function ( $answer, $request, $url ) use ( $uploads ) {
	copy( "$uploads/" . basename( $url ), $request['filename'] );
	return array( 'response' => array( 'code' => 200 ), 'headers' => array( 'content-type' => '' ), 'body' => '' );
}, 10, 3 );

wp_set_current_user( 1 );
$import = new WP_Import();
$import->fetch_attachments = true;
$_POST['imported_authors'] = array_keys( $import->parse( $file )['authors'] );
$import->import( $file );
ob_end_clean();
export_wp();
